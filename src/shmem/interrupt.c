// SPDX-License-Identifier: BSD-3-Clause
// Implements the interrupts that a program sends to other PEs. The machine has a fixed number of interrupt numbers. The
// last SHMEMX_INTERRUPT_NUMBERS of them are for programs; the others are for the library. The routines exist only on
// machines that have interrupt numbers (SKERRY_INTERRUPT_NUMBERS is not 0).
#include "internal.h"

#if SKERRY_INTERRUPT_NUMBERS

#include <shmemx.h>

#define FIRST (SKERRY_INTERRUPT_NUMBERS - SHMEMX_INTERRUPT_NUMBERS)

static int own(const char *routine, int number) {
    if (number < 0 || number >= SHMEMX_INTERRUPT_NUMBERS)
        skerry_fail_values(routine, "number #: must be 0 to #", (long[]){number, SHMEMX_INTERRUPT_NUMBERS - 1}, 2);
    return FIRST + number;
}

void shmemx_interrupt(int pe, int number) {
    if (skerry_checking) skerry_check_pes(__func__, SHMEM_CTX_DEFAULT, &pe, 1);
    skerry_interrupt(pe, own(__func__, number));
}

void shmemx_on_interrupt(int number, void (*handler)(void)) {
    skerry_on_interrupt(own(__func__, number), handler);
}

#endif
