// SPDX-License-Identifier: BSD-3-Clause
// As thread_teams, by the algorithms of a job with a processor for each PE, whatever this machine has.
// env: SKERRY_PROCESSORS=64
// pes: 3 5
// threads: yes
#include "thread_teams.c"
