// SPDX-License-Identifier: BSD-3-Clause
// As team_split_2d, by the algorithms of a job with a processor for each PE, whatever this machine has.
// env: SKERRY_PROCESSORS=64
// pes: 3 5 7
#include "team_split_2d.c"
