// SPDX-License-Identifier: BSD-3-Clause
// Arrived, not sent: a store is posted and nobody tells when it is there. So quiet sends a number after the data, to a word
// of its own in each PE that was written to, and reads the word back until it has the number. The stores of one core to
// another stay in order, so the data is there when the number is; and only the number's own coming is believed, not that a
// load comes behind the stores before it: it travels on another network. Nothing weaker tells: the stores of a
// neighbour's neighbour have no order with ours.
//
// The same order holds for what a DMA channel has sent, once it is idle: core and channels share the way into the network.
// So both wait for the channels first.
//
// A handler may put and be quiet anywhere in here. A mark is taken before its number is sent and set after its store
// was, so a store whose mark is taken is in front of a number of its own PE. The handler's number may be higher and come before
// ours: it is as good as ours, everything of ours was stored before it.
#include "internal.h"

// Element i is written by PE i only.
extern volatile uint32_t skerry_echo[];
static volatile uint32_t quiets;

const volatile void *volatile skerry_written_outside;

// Four PEs, those whose byte in `marks` is set. All numbers are sent before the first is waited for.
static __attribute__((noinline)) void wait_for_arrival(int first, uint32_t marks) {
    uint32_t echo = (uint32_t)(uintptr_t)&skerry_echo[skerry_my_pe()];
    uint32_t number = ++quiets;
    volatile uint8_t *mark = &skerry_written[first];
    const uint32_t *partition = &skerry_partitions[first];
    for (uint32_t left = marks; left; left >>= 8, mark++, partition++) {
        if (!(left & 0xff)) continue;
        *mark = 0;
        *(volatile uint32_t *)(uintptr_t)(*partition | echo) = number;
    }
    partition = &skerry_partitions[first];
    for (uint32_t left = marks; left; left >>= 8, partition++)
        while (left & 0xff && (int32_t)(*(volatile uint32_t *)(uintptr_t)(*partition | echo) - number) < 0) continue;
}

// Marks of eight PEs a look.
SKERRY_HOT const volatile uint32_t *all_marks(void) {
    return (const volatile uint32_t *)(const volatile void *)skerry_written;
}

static __attribute__((noinline)) void wait_for_all(void) {
    const volatile uint32_t *marks = all_marks();
    for (int pe = 0, pes = skerry_pe_count(); pe < pes; pe += 4, marks++)
        if (*marks) wait_for_arrival(pe, *marks);
    // A core's reads do not overtake its writes of the same place, and what it sends off the chip stays in order (S2).
    const volatile char *outside = skerry_written_outside;
    skerry_written_outside = 0;
    if (outside) (void)*outside;
    skerry_compiler_fence();
}

void skerry_quiet(void) {
    skerry_fence();
    uint32_t any = (uint32_t)(uintptr_t)skerry_written_outside;
    const volatile uint32_t *marks = all_marks();
    for (int left = skerry_pe_count(); left > 0; left -= 8, marks += 2) any |= marks[0] | marks[1];
    if (any) wait_for_all();
}
