// SPDX-License-Identifier: BSD-3-Clause
// The clock: event timer 0 counts cycles down from the first call on. It has 32 bits, 7 s at 600 MHz; longer times are right
// as long as somebody asks that often.
#include "internal.h"

#define TIMER0_COUNTS_CYCLES 0x10
#define TIMER0_EVENT 0xf0

static uint32_t last; // what the timer held at the last call
static uint64_t passed;
static bool runs;

static void start(void) {
    uint32_t config;
    __asm__ volatile("movfs %0, config" : "=r"(config));
    config = (config & ~(uint32_t)TIMER0_EVENT) | TIMER0_COUNTS_CYCLES;
    last = UINT32_MAX;
    __asm__ volatile("movts ctimer0, %0\n\tmovts config, %1" : : "r"(last), "r"(config));
    runs = true;
}

uint64_t skerry_ticks(void) {
    if (!runs) start();
    uint32_t now;
    __asm__ volatile("movfs %0, ctimer0" : "=r"(now));
    passed += last - now;
    last = now;
    return passed;
}

uint64_t skerry_ticks_per_second(void) {
    return skerry_job.clock;
}
