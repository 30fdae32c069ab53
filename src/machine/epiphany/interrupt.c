// SPDX-License-Identifier: BSD-3-Clause
// Interrupts with a number, over the one user interrupt of a core. Byte n of skerry_raised is 1 while number n is
// raised. Any core sets the byte, and this core clears it before it calls the handler. A store to the byte before that
// is answered by this call, whose handler sees everything that was stored before it. A store after that is followed by
// its store to ILATST, which causes another run (interrupt.S). So after each raise the handler runs at least once, and
// several raises may share one run: a handler that must count needs words of its own. A number without a handler stays
// raised until it has one.
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

// Runs the handlers of raised numbers. Called by interrupt.S, with the interrupts of higher priority enabled.
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
