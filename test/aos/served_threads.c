// SPDX-License-Identifier: BSD-3-Clause
// pes: 1 2 3 4 8
// threads: yes
// env: SKERRY_NO_CROSS_MEMORY=1
#include "threads.c"
