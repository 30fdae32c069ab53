// SPDX-License-Identifier: BSD-3-Clause
// Declares the level at which the library checks a program's calls. The level is set before main. If checks are on in
// one PE, shmem_init switches them on in all PEs (src/shmem/check_report.c).
// - Level 1 (environment variable SKERRY_CHECK=1) checks each call by itself, except calls that the compiler inlined in
//   the program.
// - Level 2 (`oshcc --check`, which inlines no calls) also checks what the program does between a non-blocking call and
//   the next quiet.
#ifndef SKERRY_PRIMITIVE_CHECKING_H
#define SKERRY_PRIMITIVE_CHECKING_H

#include "../machine/machine.h"

#if SKERRY_CAN_CHECK
extern SKERRY_PRIVATE int skerry_checking;
#else
#define skerry_checking 0
#endif
// True if SKERRY_CHECK is `strict` in this PE; after shmem_init, true if it is `strict` in any PE. The specification
// forbids some calls that this library nevertheless executes as the program intended. A check that finds such a call
// ends the job if this variable is true. If it is false, the check only writes a warning.
#if SKERRY_CAN_CHECK
extern SKERRY_PRIVATE bool skerry_checking_strictly;
#endif
#define SKERRY_CHECKING_CALLS 1
#define SKERRY_CHECKING_ALL 2

// Sets skerry_checking to SKERRY_CHECKING_ALL. Called by an object file that `oshcc --check` adds to the program.
void skerry_check_begin(void);

#endif
