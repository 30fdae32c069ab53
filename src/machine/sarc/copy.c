// SPDX-License-Identifier: BSD-3-Clause
// Implements copies that go on while the core computes, by the core's copy unit (docs/design/events.md). The bytes that a
// copy has to move are subtracted from a counter of the core, and the unit adds those that it has moved. So a counter is 0
// when all its copies are complete. A core has SKERRY_LINES_OF_COPIES such counters, numbered from 1 on. The caller's word
// `pending` is the number of its counter. A counter without copies belongs to nobody.
#pragma GCC optimize("O2")
#include "internal.h"

#include <string.h>

#define SKERRY_GO_COPY (3u << 8)
#define SKERRY_GO_COPY_BYTES 10

// The numbers of the counters that count no copies, plus 1, from free_counters[1] on. free_counters[0] is their number. It
// is 0 if the core has no copy unit.
static SKERRY_PER_THREAD uint8_t free_counters[1 + SKERRY_LINES_OF_COPIES];

void skerry_begin_copies(void) {
    if (*(const volatile uint32_t *)SKERRY_LINES_REGISTER >> SKERRY_COPIES_SHIFT == 0) return;
    for (uint8_t k = 1; k <= SKERRY_LINES_OF_COPIES; k++) free_counters[k] = k;
    free_counters[0] = SKERRY_LINES_OF_COPIES;
}

static struct skerry_event_counter *counter_of(size_t pending) {
    return (struct skerry_event_counter *)(SKERRY_LINES_OFFSET + sizeof(struct skerry_event_counter) *
                                                                     (SKERRY_LINES_OF_COMMANDS - 1 + pending));
}

static bool is_near(const volatile void *address) {
    return ((uintptr_t)address ^ (uintptr_t)free_counters) <= SKERRY_PARTITION_MASK;
}

// Copies by the core. skerry_copy_complete does not wait for the core's stores, so they are completed here.
SKERRY_COLD static void copy_now(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
    if (!is_near(to)) skerry_complete_stores();
}

void skerry_copy_begin(size_t *pending, void *to, const void *from, size_t bytes) {
    size_t used = *pending;
    const bool has_words = (((uintptr_t)to | (uintptr_t)from | bytes) & 3) == 0;
    const bool has_counter = used != 0 || free_counters[0] != 0;
    if (!has_words || !has_counter || bytes == 0 || !(is_near(to) || is_near(from))) return copy_now(to, from, bytes);
    if (used == 0) *pending = used = free_counters[free_counters[0]--];
    struct skerry_event_counter *counter = counter_of(used);
    skerry_event_counter_add(counter, 0u - (uint32_t)bytes);
    volatile uint32_t *command = SKERRY_REQUEST_COMMAND;
    command[0] = (uint32_t)(uintptr_t)to;
    command[1] = (uint32_t)(uintptr_t)from;
    command[4] = (uint32_t)(uintptr_t)counter;
    skerry_compiler_fence();
    command[2] = SKERRY_GO_COPY | (uint32_t)bytes << SKERRY_GO_COPY_BYTES;
}

void skerry_copy_complete(size_t *pending) {
    const size_t used = *pending;
    if (used == 0) return;
    while (skerry_event_counter_value(counter_of(used)) != 0) {
    }
    free_counters[++free_counters[0]] = (uint8_t)used;
    *pending = 0;
}
