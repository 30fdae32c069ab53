// SPDX-License-Identifier: BSD-3-Clause
// Implements interrupts with a number, by the software interrupt that a core has. Byte n of skerry_raised is 1 while
// interrupt n is raised. Any core can set the byte; then it stores 1 to this core's register MSIP, and both stores
// arrive in this order. The handler clears MSIP first, and then runs the handler of each raised number, after it has
// cleared the number's byte. So a byte that is set too late for a run is followed by a store to MSIP that arrives after
// the handler has cleared MSIP, and the handler runs again. After each raise the handler runs at least once. An
// interrupt whose number has no handler stays raised until the number gets a handler.
#include "interrupt.h"
#include "../call.h"
#include "internal.h"

volatile bool skerry_handling;
static volatile uint8_t raised[SKERRY_INTERRUPT_NUMBERS];
static skerry_handler *handlers[SKERRY_INTERRUPT_NUMBERS];

static void (*after)(void); // skerry_after_handlers

static void run_handlers(void) {
    for (int number = 0; number < SKERRY_INTERRUPT_NUMBERS; number++) {
        skerry_handler *handler = handlers[number];
        if (!handler || !raised[number]) continue;
        raised[number] = 0;
        skerry_compiler_fence();
        handler();
    }
}

// Calls `after`, which enables interrupts. The interrupts that follow overwrite the registers of this one.
static void run_after(void) {
    uint32_t pc, status;
    __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus" : "=r"(pc), "=r"(status));
    after();
    __asm__ volatile("csrw mepc, %0\n\tcsrw mstatus, %1" : : "r"(pc), "r"(status) : "memory");
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
    skerry_handling = true;
    run_handlers();
    skerry_handling = false;
    if (after) run_after();
    __asm__ volatile("fscsr %0" : : "r"(flags));
}

static void enable(void) {
    skerry_compiler_fence();
    __asm__ volatile("csrw mtvec, %0" : : "r"(on_trap));
    __asm__ volatile("csrs mie, %0" : : "r"(SKERRY_RISCV_SOFTWARE_INTERRUPT));
    skerry_enable_interrupts();
    skerry_interrupt_core(skerry_my_pe()); // another core has possibly raised it before
}

void skerry_interrupt(int pe, int number) {
    skerry_compiler_fence();
    *(volatile uint8_t *)skerry_global(&raised[number], pe) = 1;
    skerry_interrupt_core(pe);
}

void skerry_on_interrupt(int number, skerry_handler *handler) {
    handlers[number] = handler;
    enable();
}

void skerry_after_handlers(void (*function)(void)) {
    after = function;
    enable();
}
