// SPDX-License-Identifier: BSD-3-Clause
// Arrived, not sent: a store is posted and nobody tells when it is there. So quiet sends a number after the data, to a word
// of its own in each PE that was written to, and reads the word back until it has the number. The stores of one core to
// another stay in order, so the data is there when the number is; and only the number's own coming is believed, not that a
// load comes behind the stores before it: it travels on another network. Nothing weaker tells: the stores of a
// neighbour's neighbour have no order with ours.
#include "internal.h"

// Element i is written by PE i only.
extern volatile uint32_t skerry_echo[];
static uint32_t quiets;

void skerry_fence(void) {
    skerry_compiler_fence();
}

void skerry_quiet(void) {
    skerry_compiler_fence();
    uint32_t number = ++quiets;
    volatile uint32_t *echo = &skerry_echo[skerry_my_pe()];
    int pes = skerry_pe_count();
    for (int pe = 0; pe < pes; pe++)
        if (skerry_written[pe]) *(volatile uint32_t *)skerry_global(echo, pe) = number;
    for (int pe = 0; pe < pes; pe++) {
        if (!skerry_written[pe]) continue;
        while (*(volatile uint32_t *)skerry_global(echo, pe) != number) continue;
        skerry_written[pe] = 0;
    }
    skerry_compiler_fence();
}
