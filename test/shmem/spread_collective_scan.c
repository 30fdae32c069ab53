// SPDX-License-Identifier: BSD-3-Clause
// As collective_scan, by the algorithms of a job with a processor for each PE, whatever this machine has.
// env: SKERRY_PROCESSORS=64
// pes: 3
#include "collective_scan.c"
