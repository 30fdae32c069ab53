// SPDX-License-Identifier: BSD-3-Clause
// Declares the user interrupt, by which cores interrupt each other.
#ifndef SKERRY_MACHINE_EPIPHANY_INTERRUPT_H
#define SKERRY_MACHINE_EPIPHANY_INTERRUPT_H

#include "../machine.h"

#define SKERRY_USER_INTERRUPT 0x200u // bit of the user interrupt in ILAT, IMASK and IPEND
#define SKERRY_ILATST 0xf042cu       // offset of the register ILATST in a core's memory map

// Makes the linker add the user interrupt's vector to every program that contains the function in which this macro is
// used. Compiles to no instruction.
#define SKERRY_NEEDS_INTERRUPTS() __asm__ volatile(".global _skerry_user_interrupt")

SKERRY_ALWAYS_INLINE void skerry_interrupt_core(int pe) {
    skerry_compiler_fence();
    *(volatile uint32_t *)(uintptr_t)(skerry_partitions[pe] | SKERRY_ILATST) = SKERRY_USER_INTERRUPT;
}

// Returns true if the user interrupt would be taken now: it is neither masked nor disabled, and no handler runs.
SKERRY_ALWAYS_INLINE bool skerry_can_be_interrupted(void) {
    uint32_t mask, served, status;
    __asm__ volatile("movfs %0, imask\n\tmovfs %1, ipend\n\tmovfs %2, status" : "=r"(mask), "=r"(served), "=r"(status));
    return ((mask & SKERRY_USER_INTERRUPT) | served | (status & 2)) == 0;
}

#endif
