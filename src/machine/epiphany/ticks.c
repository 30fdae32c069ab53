// SPDX-License-Identifier: BSD-3-Clause
// Returns the time in cycles since the program started. Event timer 0 of the core counts cycles down and stops at 0.
// The timer has 32 bits, which is 7 s at 600 MHz. skerry_ticks sets the timer back to its largest value when half of
// its range has passed. So the time is correct if a program calls skerry_ticks at least every 3 s.
//
// start.S starts the timer, by bits of the register CONFIG. This file must not start it. Around an integer
// multiplication the compiler saves CONFIG and later restores it. If the timer were started between these two steps,
// the restored value would stop it again.
#include "internal.h"

#define WOUND_UP UINT32_MAX // largest value of the timer, with which it is started
#define CYCLES_OF_WINDING 2 // from the read of the timer to its restart

static uint32_t last = WOUND_UP; // value of the timer after the last call of skerry_ticks
static uint64_t passed;

uint64_t skerry_ticks(void) {
    uint32_t now;
    __asm__ volatile("movfs %0, ctimer0" : "=r"(now));
    passed += last - now;
    last = now;
    if (now < WOUND_UP / 2) {
        last = WOUND_UP;
        passed += CYCLES_OF_WINDING;
        __asm__ volatile("movts ctimer0, %0" : : "r"(last));
    }
    return passed;
}

uint64_t skerry_ticks_per_second(void) {
    return skerry_job.clock;
}
