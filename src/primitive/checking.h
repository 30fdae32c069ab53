// SPDX-License-Identifier: BSD-3-Clause
// How much the library checks of what its user does; set before main, and for all PEs alike by the set-up of shmem (check_report.c).
// 1, by SKERRY_CHECK=1: what one call shows, for programs
// that may have inlined some of their calls. 2, by `oshcc --check`, which inlines none: also what lies between a
// non-blocking call and its quiet.
#ifndef SKERRY_PRIMITIVE_CHECKING_H
#define SKERRY_PRIMITIVE_CHECKING_H

#include "../machine/machine.h"

#if SKERRY_CAN_CHECK
extern SKERRY_PRIVATE int skerry_checking;
#else
#define skerry_checking 0
#endif
// Of what the specification forbids and this library does as it was meant, a check warns; by SKERRY_CHECK=strict it ends the job.
#if SKERRY_CAN_CHECK
extern SKERRY_PRIVATE bool skerry_checking_strictly;
#endif
#define SKERRY_CHECKING_CALLS 1
#define SKERRY_CHECKING_ALL 2

// Sets it to SKERRY_CHECKING_ALL. Called by the object that `oshcc --check` links in.
void skerry_check_begin(void);

#endif
