// SPDX-License-Identifier: BSD-3-Clause
// Declares the user interrupt, by which cores interrupt each other.
#ifndef SKERRY_MACHINE_EPIPHANY_INTERRUPT_H
#define SKERRY_MACHINE_EPIPHANY_INTERRUPT_H

#include "../machine.h"

#define SKERRY_USER_INTERRUPT 0x200u // bit in the registers ILAT (raised), IMASK (masked) and IPEND (being handled)
#define SKERRY_ILATST 0xf042cu       // offset, in a core's memory map, of the register that raises interrupts

// Makes the linker add the user interrupt's vector to every program that contains the function in which this macro is
// used. The macro compiles to no instruction.
#define SKERRY_NEEDS_INTERRUPTS() __asm__ volatile(".global _skerry_user_interrupt")

SKERRY_ALWAYS_INLINE void skerry_interrupt_core(int pe) {
    skerry_compiler_fence();
    *(volatile uint32_t *)(uintptr_t)(skerry_partitions[pe] | SKERRY_ILATST) = SKERRY_USER_INTERRUPT;
}

// Returns true if the core would handle the user interrupt at once: it is neither masked nor disabled, and no handler
// runs.
SKERRY_ALWAYS_INLINE bool skerry_can_be_interrupted(void) {
    uint32_t mask, served, status;
    __asm__ volatile("movfs %0, imask\n\tmovfs %1, ipend\n\tmovfs %2, status" : "=r"(mask), "=r"(served), "=r"(status));
    return ((mask & SKERRY_USER_INTERRUPT) | served | (status & 2)) == 0;
}

SKERRY_ALWAYS_INLINE bool skerry_in_handler(void) {
    uint32_t handled;
    __asm__ volatile("movfs %0, ipend" : "=r"(handled));
    return handled != 0;
}

SKERRY_ALWAYS_INLINE void skerry_disable_interrupts(void) {
    __asm__ volatile("gid" : : : "memory");
}

SKERRY_ALWAYS_INLINE void skerry_enable_interrupts(void) {
    __asm__ volatile("gie" : : : "memory");
}

SKERRY_ALWAYS_INLINE void skerry_interrupt_own_core(void) {
    uint32_t latch;
    __asm__ volatile("movts ilatst, %0" : : "r"(SKERRY_USER_INTERRUPT) : "memory");
    do __asm__ volatile("movfs %0, ilat" : "=r"(latch) : : "memory");
    while ((latch & SKERRY_USER_INTERRUPT) && skerry_can_be_interrupted());
}

SKERRY_ALWAYS_INLINE bool skerry_test_and_set(volatile uint32_t *word) {
    uint32_t before = 1;
    __asm__ volatile("testset %0, [%1, %2]" : "+r"(before) : "r"(word), "r"(0) : "memory", "cc");
    return before == 0;
}

#endif
