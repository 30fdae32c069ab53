// SPDX-License-Identifier: BSD-3-Clause
// Declares the software interrupt, by which cores interrupt each other.
#ifndef SKERRY_MACHINE_RISCV_INTERRUPT_H
#define SKERRY_MACHINE_RISCV_INTERRUPT_H

#include "machine.h"

// Offset of a core's register MSIP, which raises the core's software interrupt, and the interrupt's bit in mie and mip.
#define SKERRY_RISCV_MSIP 0xf0000u
#define SKERRY_RISCV_SOFTWARE_INTERRUPT 0x8u

extern volatile bool skerry_handling; // true while functions of skerry_on_interrupt run (interrupt.c)

SKERRY_ALWAYS_INLINE void skerry_interrupt_core(int pe) {
    skerry_compiler_fence();
    *(volatile uint32_t *)skerry_global((void *)SKERRY_RISCV_MSIP, pe) = 1;
}

SKERRY_ALWAYS_INLINE bool skerry_can_be_interrupted(void) {
    uint32_t status, enabled;
    __asm__ volatile("csrr %0, mstatus\n\tcsrr %1, mie" : "=r"(status), "=r"(enabled));
    return (status & SKERRY_RISCV_INTERRUPTS) && (enabled & SKERRY_RISCV_SOFTWARE_INTERRUPT);
}

SKERRY_ALWAYS_INLINE bool skerry_in_handler(void) {
    return skerry_handling;
}

SKERRY_ALWAYS_INLINE void skerry_disable_interrupts(void) {
    __asm__ volatile("csrci mstatus, %0" : : "i"(SKERRY_RISCV_INTERRUPTS) : "memory");
}

SKERRY_ALWAYS_INLINE void skerry_enable_interrupts(void) {
    __asm__ volatile("csrsi mstatus, %0" : : "i"(SKERRY_RISCV_INTERRUPTS) : "memory");
}

SKERRY_ALWAYS_INLINE void skerry_interrupt_own_core(void) {
    uint32_t raised;
    skerry_interrupt_core(skerry_my_pe());
    do __asm__ volatile("csrr %0, mip" : "=r"(raised) : : "memory");
    while ((raised & SKERRY_RISCV_SOFTWARE_INTERRUPT) && skerry_can_be_interrupted());
}

SKERRY_ALWAYS_INLINE bool skerry_test_and_set(volatile uint32_t *word) {
    uint32_t before;
    __asm__ volatile("amoswap.w.aqrl %0, %2, %1" : "=r"(before), "+A"(*word) : "r"(1) : "memory");
    return before == 0;
}

uint32_t skerry_take_lock(volatile uint32_t *lock);

SKERRY_ALWAYS_INLINE void skerry_note_written(int pe) {
    (void)pe; // a fence waits for all stores
}

#endif
