// SPDX-License-Identifier: BSD-3-Clause
// The chip's own barrier: WAND says that a core has arrived, and when each core of the chip has, interrupt 8 is raised in all.
// It stays masked, so it needs no handler and leaves others alone: the core looks for it in ILAT and takes it away, and
// it cannot come again before this core says WAND again.
#include "internal.h"

#define WAND_INTERRUPT 0x100u

// A core that is not of the job would never say WAND.
bool skerry_has_hardware_barrier(void) {
    return skerry_facts.pe_count == (int)(uintptr_t)_skerry_pes_max;
}

void skerry_hardware_barrier(void) {
    uint32_t seen;
    __asm__ volatile("movfs %0, imask\n\torr %0, %0, %1\n\tmovts imask, %0\n\twand"
                     : "=&r"(seen)
                     : "r"(WAND_INTERRUPT)
                     : "memory", "cc");
    do __asm__ volatile("movfs %0, ilat" : "=r"(seen) : : "memory");
    while (!(seen & WAND_INTERRUPT));
    __asm__ volatile("movts ilatcl, %0" : : "r"(WAND_INTERRUPT) : "memory");
}
