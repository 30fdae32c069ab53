// SPDX-License-Identifier: BSD-3-Clause
// Arrived, not sent: a store is posted and nobody tells when it is there. So quiet sends a number after the data, to a word
// of its own in each PE that was written to, and reads the word back until it has the number. The stores of one core to
// another stay in order, so the data is there when the number is; and only the number's own coming is believed, not that a
// load comes behind the stores before it: it travels on another network. Nothing weaker tells: the stores of a
// neighbour's neighbour have no order with ours.
//
// The same order holds for what a DMA channel has sent, once it is idle: core and channels share the way into the network.
// So both wait for the channels first (dma.c, where it is linked).
//
// A handler may put and be quiet anywhere in here. A mark is taken before its number is sent and set after its store
// was, so a store whose mark is taken is in front of a number of its own PE. The handler's number may be higher and come before
// ours: it is as good as ours, everything of ours was stored before it.
#include "internal.h"

// Element i is written by PE i only.
extern volatile uint32_t skerry_echo[];
static volatile uint32_t quiets;

const volatile void *volatile skerry_written_outside;

__attribute__((weak)) void skerry_wait_for_channels(void);

void skerry_fence(void) {
    skerry_compiler_fence();
    if (skerry_wait_for_channels) skerry_wait_for_channels();
}

// Four PEs, those whose byte in `marks` is set.
static void wait_for_arrival(int first, uint32_t marks, uint32_t number) {
    volatile uint32_t *echo = &skerry_echo[skerry_my_pe()];
    int pe = first;
    for (uint32_t left = marks; left; left >>= 8, pe++) {
        if (!(left & 0xff)) continue;
        skerry_written[pe] = 0;
        skerry_compiler_fence();
        *(volatile uint32_t *)skerry_global(echo, pe) = number;
    }
    pe = first;
    for (uint32_t left = marks; left; left >>= 8, pe++)
        while (left & 0xff && (int32_t)(*(volatile uint32_t *)skerry_global(echo, pe) - number) < 0) continue;
}

void skerry_quiet(void) {
    skerry_fence();
    uint32_t number = ++quiets;
    int pes = skerry_pe_count();
    for (int pe = 0; pe < pes; pe += 4) {
        uint32_t marks = *(volatile uint32_t *)(volatile void *)&skerry_written[pe];
        if (marks) wait_for_arrival(pe, marks, number);
    }
    // A core's reads do not overtake its writes of the same place, and what it sends off the chip stays in order (S2).
    const volatile char *outside = skerry_written_outside;
    if (outside) {
        skerry_written_outside = 0;
        (void)*outside;
    }
    skerry_compiler_fence();
}
