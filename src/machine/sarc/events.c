// SPDX-License-Identifier: BSD-3-Clause
// Allocates the counters of the cores' event units (docs/design/events.md). An event unit is hardware with a fixed
// number of lines, and each counter is one line. A core without an event unit has 0 lines, so no counter can be
// allocated there.
#include "internal.h"

extern struct skerry_core skerry_own_core; // sarc.ld; at the same offset in each core

static uint32_t number_of_lines(void) {
    return *(const volatile uint32_t *)SKERRY_LINES_REGISTER;
}

// Takes a counter from the core's list of returned counters, or a new line if the list is empty. In a returned counter
// the first target is the address of the next counter in the list. The tag of a line is a word that determines what an
// access to the line does. A returned counter keeps the tag SKERRY_TAG_COUNTER, so only a new line needs the store of
// the tag.
struct skerry_event_counter *skerry_event_counter_take(int worker) {
    struct skerry_core *core = skerry_core_at(worker);
    const uintptr_t partition = (uintptr_t)core & ~(uintptr_t)SKERRY_PARTITION_MASK;
    skerry_lock_core(core);
    struct skerry_event_counter *counter = core->free_counter;
    if (counter) core->free_counter = (struct skerry_event_counter *)counter->to[0];
    else if (core->lines < number_of_lines()) {
        const uint32_t line = core->lines++;
        *(volatile uint32_t *)(partition | (SKERRY_TAGS_OFFSET + 4 * line)) = SKERRY_TAG_COUNTER;
        counter = (struct skerry_event_counter *)(partition | (SKERRY_LINES_OFFSET + sizeof *counter * line));
    }
    skerry_unlock_core(core);
    if (!counter) return NULL;
    for (uint32_t i = 0; i < SKERRY_EVENT_TARGETS; i++) counter->to[i] = NULL;
    skerry_event_counter_begin(counter, 0);
    return counter;
}

void skerry_event_counter_give(struct skerry_event_counter *counter) {
    if (!counter) return;
    const uintptr_t partition = (uintptr_t)counter & ~(uintptr_t)SKERRY_PARTITION_MASK;
    struct skerry_core *core = (struct skerry_core *)(partition | (uintptr_t)&skerry_own_core);
    skerry_lock_core(core);
    counter->to[0] = (uint32_t *)core->free_counter;
    core->free_counter = counter;
    skerry_unlock_core(core);
}

// Returns true if the event unit of the worker's core can send to this address. An event unit can send to the memories
// of cores, but not to external memory. So the address must be in the memory of the worker's core.
bool skerry_event_reaches(const volatile void *address, int worker) {
    return (((uintptr_t)address ^ (uintptr_t)skerry_core_at(worker)) & ~(uintptr_t)SKERRY_PARTITION_MASK) == 0;
}
