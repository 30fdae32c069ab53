// SPDX-License-Identifier: BSD-3-Clause
// As signal_order, by the algorithms of a job with a processor for each PE, whatever this machine has.
// env: SKERRY_PROCESSORS=64
// pes: 4 8
// ways: 4:2:remote
#include "signal_order.c"
