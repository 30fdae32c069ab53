// SPDX-License-Identifier: BSD-3-Clause
// Allocates the counters and queues of the cores' event units (docs/design/events.md). An event unit is hardware with a
// fixed number of lines. Each counter is one line, and a queue is one line and the lines of its items behind it. A core
// without an event unit has 0 lines, so nothing can be allocated there. The first lines of each core send its messages and
// count its copies.
#include "internal.h"

extern struct skerry_core skerry_own_core; // sarc.ld; at the same offset in each core

static uint32_t number_of_lines(void) {
    return *(const volatile uint32_t *)SKERRY_LINES_REGISTER & ((1u << SKERRY_COPIES_SHIFT) - 1);
}

static volatile uint32_t *tag_of(uintptr_t partition, uint32_t line) {
    return (volatile uint32_t *)(partition | (SKERRY_TAGS_OFFSET + 4 * line));
}

void skerry_begin_events(void) {
    if (number_of_lines() < SKERRY_LINES_OF_MACHINE) return;
    for (uint32_t line = 0; line < SKERRY_LINES_OF_COMMANDS; line += 2) *tag_of(0, line) = SKERRY_TAG_COMMAND;
    for (uint32_t line = SKERRY_LINES_OF_COMMANDS; line < SKERRY_LINES_OF_MACHINE; line++)
        *tag_of(0, line) = SKERRY_TAG_COUNTER;
}

// Takes `count` consecutive lines of a core that were never used before. Returns the number of the first one, or 0 if
// the core has not enough lines left. The caller holds the core's lock.
static uint32_t take_lines(struct skerry_core *core, uint32_t count) {
    const uint32_t first = core->lines + SKERRY_LINES_OF_MACHINE, all = number_of_lines();
    if (first > all || count > all - first) return 0;
    core->lines += count;
    return first;
}

// Takes a counter from the core's list of returned counters, or a new line if the list is empty. In a returned counter
// the first target is the address of the next counter in the list. The tag of a line is a word that determines what an
// access to the line does. A returned counter keeps the tag SKERRY_TAG_COUNTER, so only a new line needs the store of
// the tag.
static struct skerry_event_counter *take_counter(struct skerry_core *core) {
    const uintptr_t partition = (uintptr_t)core & ~(uintptr_t)SKERRY_PARTITION_MASK;
    skerry_lock_core(core);
    struct skerry_event_counter *counter = core->free_counter;
    if (counter) core->free_counter = (struct skerry_event_counter *)counter->to[0];
    else {
        const uint32_t line = take_lines(core, 1);
        if (line) {
            *tag_of(partition, line) = SKERRY_TAG_COUNTER;
            counter = (struct skerry_event_counter *)(partition | (SKERRY_LINES_OFFSET + sizeof *counter * line));
        }
    }
    skerry_unlock_core(core);
    return counter;
}

struct skerry_event_counter *skerry_event_counter_take(int worker) {
    struct skerry_event_counter *counter;
    while (!(counter = take_counter(skerry_core_at(worker))) && number_of_lines() && skerry_free_some(worker)) {
    }
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

// -- Queues ------------------------------------------------------------------------------------------------------------

#define LINE_BYTES 32u

// A queue that was returned. No store to a queue's own line is possible, so the list is in memory.
struct skerry_free_queue {
    struct skerry_free_queue *next;
    uint32_t line, items;
};

// A store to the tag of a queue's line removes all items and waiting requests.
struct skerry_event_queue *skerry_event_queue_take(int worker, uint32_t items) {
    struct skerry_core *core = skerry_core_at(worker);
    const uintptr_t partition = (uintptr_t)core & ~(uintptr_t)SKERRY_PARTITION_MASK;
    struct skerry_free_queue *found = NULL;
    skerry_lock_core(core);
    for (struct skerry_free_queue **place = &core->free_queue; *place && !found; place = &(*place)->next) {
        if ((*place)->items != items) continue;
        found = *place;
        *place = found->next;
        break;
    }
    const uint32_t line = found ? found->line : take_lines(core, 1 + items);
    skerry_unlock_core(core);
    skerry_memory_give(found);
    if (!line) return NULL;
    *tag_of(partition, line) = SKERRY_TAG_QUEUE | items << SKERRY_TAG_ITEMS;
    return (struct skerry_event_queue *)(partition | (SKERRY_LINES_OFFSET + LINE_BYTES * line));
}

// If there is no memory for the list's element, the queue's lines stay unused.
void skerry_event_queue_give(struct skerry_event_queue *queue) {
    if (!queue) return;
    const uintptr_t partition = (uintptr_t)queue & ~(uintptr_t)SKERRY_PARTITION_MASK;
    struct skerry_core *core = (struct skerry_core *)(partition | (uintptr_t)&skerry_own_core);
    struct skerry_free_queue *element = skerry_memory_take(sizeof *element, _Alignof(struct skerry_free_queue));
    if (!element) return;
    element->line = (uint32_t)((uintptr_t)queue - partition - SKERRY_LINES_OFFSET) / LINE_BYTES;
    element->items = *tag_of(partition, element->line) >> SKERRY_TAG_ITEMS;
    skerry_lock_core(core);
    element->next = core->free_queue;
    core->free_queue = element;
    skerry_unlock_core(core);
}
