// SPDX-License-Identifier: BSD-3-Clause
// Implements interrupts that have numbers. A core has only one software interrupt, which is used for all numbers. Byte
// n of `raised` is 1 while interrupt n is raised. An interrupt whose number has no handler stays raised until the
// number gets a handler.
//
// Why the handler runs at least once after each raise:
// * A core that raises interrupt n sets byte n in the target's memory, and then stores 1 to the target's register MSIP.
//   Both stores arrive in this order.
// * The target's handler of the software interrupt first clears MSIP. Then, for each raised number, it clears the byte
//   and calls the handler of this number.
// * Suppose that a byte is set too late for this run. Its store to MSIP arrives even later, after the handler has
//   cleared MSIP. So the handler runs again.
#include "interrupt.h"
#include "../call.h"
#include "internal.h"

volatile bool skerry_handling;
static volatile uint8_t raised[SKERRY_INTERRUPT_NUMBERS];
static skerry_handler *handlers[SKERRY_INTERRUPT_NUMBERS];
// The number behind the highest one that has a handler. Most programs have only remote procedure calls, and no numbers: a
// loop over all of them would take a third of the time of this handler.
static volatile int handlers_end;

static void (*after)(void); // skerry_after_handlers

static void run_handlers(void) {
    for (int number = 0, end = handlers_end; number < end; number++) {
        skerry_handler *handler = handlers[number];
        if (!handler || !raised[number]) continue;
        raised[number] = 0;
        skerry_compiler_fence();
        handler();
    }
}

// Calls `after`, the function that skerry_after_handlers has set. That function enables interrupts, and a further
// interrupt overwrites the registers mepc and mstatus. So these registers are saved before the call and restored after
// it.
static void run_after(void) {
    uint32_t pc, status;
    __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus" : "=r"(pc), "=r"(status));
    after();
    __asm__ volatile("csrw mepc, %0\n\tcsrw mstatus, %1" : : "r"(pc), "r"(status) : "memory");
}

// Handles all traps. The attribute `interrupt` makes this function save all registers that the called functions can
// change, except the flags of floating-point arithmetic.
static __attribute__((interrupt, aligned(4))) void on_trap(void) {
    int32_t cause;
    uint32_t flags;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    // The trap is an exception. This function removes itself as the handler (mtvec), and the core executes the failing
    // instruction again. So the exception stops the program, and the report shows the instruction that failed.
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
    if (number >= handlers_end) handlers_end = number + 1;
    enable();
}

void skerry_after_handlers(void (*function)(void)) {
    after = function;
    enable();
}
