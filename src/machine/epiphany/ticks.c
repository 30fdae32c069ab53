// SPDX-License-Identifier: BSD-3-Clause
// The clock: event timer 0 counts cycles down from the start on. It is started there and not here, because code that the
// compiler makes for a multiplication puts CONFIG back to what it was before. The timer has 32 bits, 7 s at 600 MHz, and stops at 0:
// it is wound up again when half has gone, so times are right as long as somebody asks every 3 s.
#include "internal.h"

#define WOUND_UP UINT32_MAX
#define CYCLES_OF_WINDING 2 // from reading the timer to its going on

static uint32_t last = WOUND_UP; // what the timer held at the last call
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
