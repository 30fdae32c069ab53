// SPDX-License-Identifier: BSD-3-Clause
// Implements interrupts with a number, by the software interrupt that a core has. Byte n of skerry_raised is 1 while
// interrupt n is raised. Any core can set the byte; then it stores 1 to this core's register MSIP, and both stores
// arrive in this order. The handler clears MSIP first, and then runs the handler of each raised number, after it has
// cleared the number's byte. So a byte that is set too late for a run is followed by a store to MSIP that arrives after
// the handler has cleared MSIP, and the handler runs again. After each raise the handler runs at least once. An
// interrupt whose number has no handler stays raised until the number gets a handler.
#include "internal.h"

static volatile uint8_t raised[SKERRY_INTERRUPT_NUMBERS];
static skerry_handler *handlers[SKERRY_INTERRUPT_NUMBERS];

#define SOFTWARE_INTERRUPT 0x8u // bit of the register mie

static void raise_at(int pe) {
    *(volatile uint32_t *)skerry_global((void *)SKERRY_RISCV_MSIP, pe) = 1;
}

static void run_handlers(void) {
    for (int number = 0; number < SKERRY_INTERRUPT_NUMBERS; number++) {
        skerry_handler *handler = handlers[number];
        if (!handler || !raised[number]) continue;
        raised[number] = 0;
        skerry_compiler_fence();
        handler();
    }
}

// The handler of all traps. The compiler saves all registers that the called functions can change, except the flags of
// floating-point arithmetic. An exception is executed again without a handler, so that it stops the program with the
// report of an exception at its own place.
static __attribute__((interrupt, aligned(4))) void on_trap(void) {
    int32_t cause;
    uint32_t flags;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    if (cause >= 0) {
        __asm__ volatile("csrw mtvec, zero");
        return;
    }
    __asm__ volatile("frcsr %0" : "=r"(flags));
    *(volatile uint32_t *)SKERRY_RISCV_MSIP = 0;
    skerry_compiler_fence();
    run_handlers();
    __asm__ volatile("fscsr %0" : : "r"(flags));
}

void skerry_interrupt(int pe, int number) {
    skerry_compiler_fence();
    *(volatile uint8_t *)skerry_global(&raised[number], pe) = 1;
    raise_at(pe);
}

void skerry_on_interrupt(int number, skerry_handler *handler) {
    handlers[number] = handler;
    skerry_compiler_fence();
    __asm__ volatile("csrw mtvec, %0" : : "r"(on_trap));
    __asm__ volatile("csrs mie, %0" : : "r"(SOFTWARE_INTERRUPT));
    __asm__ volatile("csrs mstatus, %0" : : "r"(SKERRY_RISCV_INTERRUPTS) : "memory");
    raise_at(skerry_my_pe()); // the number is possibly raised already
}
