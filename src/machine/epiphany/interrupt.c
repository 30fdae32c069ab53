// SPDX-License-Identifier: BSD-3-Clause
// Implements interrupts that have numbers. A core has only one user interrupt, which is used for all numbers. Byte n of
// skerry_raised is 1 while interrupt n is raised. Any core can set the byte. This core clears the byte before it calls
// the handler of interrupt n.
//
// Why the handler runs at least once after each raise:
// * Suppose that another core sets the byte before this core clears it. Then this call of the handler answers the
//   interrupt. The handler sees everything that the other core stored before the byte.
// * Suppose that the other core sets the byte later. Its next store is to this core's register ILATST. That store makes
//   the user interrupt's handler run again (interrupt.S).
//
// One run can answer several raises, so a handler that must count raises needs words of its own. An interrupt whose
// number has no handler stays raised until the number gets a handler.
#include "internal.h"
#include "interrupt.h"

extern volatile uint8_t skerry_raised[SKERRY_INTERRUPT_NUMBERS];
_Static_assert(SKERRY_INTERRUPT_NUMBERS == 8, "interrupt.S looks at a double word");

static skerry_handler *handlers[SKERRY_INTERRUPT_NUMBERS];

void skerry_interrupt(int pe, int number) {
    skerry_compiler_fence();
    *(volatile uint8_t *)skerry_global(&skerry_raised[number], pe) = 1;
    skerry_interrupt_core(pe);
}

void skerry_on_interrupt(int number, skerry_handler *handler) {
    SKERRY_NEEDS_INTERRUPTS();
    handlers[number] = handler;
    skerry_interrupt_core(skerry_my_pe());
}

// Runs the handlers of the interrupts that are raised. interrupt.S calls this function, with interrupts of higher
// priority enabled.
void skerry_run_handlers(void);
void skerry_run_handlers(void) {
    for (int number = 0; number < SKERRY_INTERRUPT_NUMBERS; number++) {
        skerry_handler *handler = handlers[number];
        if (!handler || !skerry_raised[number]) continue;
        skerry_raised[number] = 0;
        skerry_compiler_fence();
        handler();
    }
}
