// SPDX-License-Identifier: BSD-3-Clause
// As active_reduce, by the algorithms of a job with a processor for each PE, whatever this machine has.
// env: SKERRY_PROCESSORS=64
// pes: 3 5 8
#include "active_reduce.c"
