// SPDX-License-Identifier: BSD-3-Clause
// The clock goes on when its event timer, which counts 32 bits down and stops at 0, is wound up: no reading is before the last one or far
// behind it.
#include <skerry/machine/machine.h>

#include "../shmem/test.h"

#define WINDING 0x7fffffffu // below it the timer is wound up
#define BEFORE 3000u        // cycles
#define READINGS 300
#define CYCLES_MOST 1000u // between two readings

static uint32_t timer(void) {
    uint32_t now;
    __asm__ volatile("movfs %0, ctimer0" : "=r"(now));
    return now;
}

int main(void) {
    test_begin();
    (void)skerry_ticks();
    // As if nobody had asked for 3.5 s.
    __asm__ volatile("movts ctimer0, %0" : : "r"(WINDING + BEFORE));
    uint64_t last = skerry_ticks(), first = last;
    REQUIRE(last > WINDING - CYCLES_MOST * 100, "%lx cycles", (unsigned long)last);
    bool is_wound_up = false;
    for (int i = 0; i < READINGS; i++) {
        uint64_t now = skerry_ticks();
        REQUIRE(now > last && now - last < CYCLES_MOST, "reading %d is %lu cycles behind the last one", i,
                (unsigned long)(now - last));
        last = now;
        is_wound_up |= timer() > WINDING + BEFORE;
    }
    REQUIRE(is_wound_up, "the timer stands at %lx", (unsigned long)timer());
    REQUIRE(last - first > BEFORE, "%lu cycles", (unsigned long)(last - first));
    return test_end();
}
