// SPDX-License-Identifier: BSD-3-Clause
// How much the library checks a program's calls. The level is set before main; the set-up of shmem then switches the
// checks on in all PEs if they are on in one (src/shmem/check_report.c). Level 1, by SKERRY_CHECK=1, checks each call
// by itself; a program may have inlined some of its calls, and inlined calls are not checked. Level 2, by `oshcc
// --check`, which inlines no calls, also checks what happens between a non-blocking call and the next quiet.
#ifndef SKERRY_PRIMITIVE_CHECKING_H
#define SKERRY_PRIMITIVE_CHECKING_H

#include "../machine/machine.h"

#if SKERRY_CAN_CHECK
extern SKERRY_PRIVATE int skerry_checking;
#else
#define skerry_checking 0
#endif
// True by SKERRY_CHECK=strict. Some calls are forbidden by the specification but this library executes them as the
// program intended: for these a check warns if this is false, and ends the job if it is true.
#if SKERRY_CAN_CHECK
extern SKERRY_PRIVATE bool skerry_checking_strictly;
#endif
#define SKERRY_CHECKING_CALLS 1
#define SKERRY_CHECKING_ALL 2

// Sets skerry_checking to SKERRY_CHECKING_ALL. Called by an object file that `oshcc --check` adds to the program.
void skerry_check_begin(void);

#endif
