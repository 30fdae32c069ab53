// SPDX-License-Identifier: BSD-3-Clause
// Interrupts with a number, over the one user interrupt. Byte n of skerry_raised says that number n waits. Any core sets
// it, this core clears it before it calls the handler: a store that comes before is answered by this call, whose handler
// sees all that was stored before it; one that comes later has its ILATST behind it and is answered by another run
// (interrupt.S). So after each raise the handler runs at least once, and several raises may share a run: whoever counts
// keeps words of his own. Numbers without a handler wait until there is one.
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

// Called by interrupt.S with the interrupts of higher priority on.
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
