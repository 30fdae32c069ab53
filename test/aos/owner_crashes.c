// SPDX-License-Identifier: BSD-3-Clause
// The owner of memory that only it has crashes while others put to it and get from it: the job says that the owner crashed, not that
// their access failed, and not that another PE did. A crash takes longer than SIGKILL: the owner first notes where it happened.
// The address sanitizer reports a crash itself and exits.
// pes: 2 3
// skip: epiphany asan
// expect-fail: ^oshrun: PE 1 .* was killed by signal 11 \(Segmentation fault: address 0x10\)
static int *volatile nowhere = (int *)0x10;
#define DIE() (*nowhere = 1)
#include "owner_dies.c"
