// SPDX-License-Identifier: BSD-3-Clause
// Implements the machine contract for the workers of a machine whose RISC-V cores have memories of their own and no
// operating system, such as the simulated sarc-16. Each core has one worker, a thread that runs on it for the whole
// job. A core that waits polls. It never sleeps, so no core needs to be woken.
//
// Addresses:
// * All addresses that workers exchange are global addresses, which mean the same byte in every core
//   (docs/design/openmp-chip.md).
// * Stack pointer and thread pointer of each core are global addresses from the first instruction on.
// * The program's static data lies in the memory of the job's first core.
//
// Order of memory accesses (models: test/model/fence.pml, reservation.pml):
// * A load or an atomic operation ends before the core's next instruction begins.
// * Stores of one core to the memory of one other core arrive in program order.
// * Stores to different memories can arrive in any order.
// * The instruction `fence` waits until all stores of the core have arrived, in all memories. So a store release is a
//   fence and then a store.
#ifndef SKERRY_MACHINE_SARC_MACHINE_H
#define SKERRY_MACHINE_SARC_MACHINE_H

#include "../riscv/worker_polling.h"

#define SKERRY_NEAR_MEMORY 1
#define SKERRY_STATIC_LIBRARY 1
#define SKERRY_EVENTS 1
#define SKERRY_EVENT_TARGETS 4
#define SKERRY_EVENT_WORDS 8
#define SKERRY_WORKERS_MAX 64

// -- Counters and queues in hardware (docs/design/events.md) -----------------------------------------------------------

struct skerry_event_counter {
    volatile uint32_t value; // a store adds
    uint32_t next;           // value after zero
    uint32_t word;           // what is sent at zero,
    uint32_t *to[SKERRY_EVENT_TARGETS];
    volatile uint32_t set; // a store sets the value
};

struct skerry_event_counter *skerry_event_counter_take(int worker);
bool skerry_event_reaches(const volatile void *address, int worker);
void skerry_event_counter_give(struct skerry_event_counter *counter);

SKERRY_ALWAYS_INLINE void skerry_event_counter_begin(struct skerry_event_counter *counter, uint32_t next) {
    counter->next = next;
    counter->set = next;
}

SKERRY_ALWAYS_INLINE void skerry_event_counter_notify(struct skerry_event_counter *counter, uint32_t number,
                                                      uint32_t *to, uint32_t word) {
    counter->word = word;
    counter->to[number] = to;
}

SKERRY_ALWAYS_INLINE uint32_t *skerry_event_counter_target(struct skerry_event_counter *counter) {
    return (uint32_t *)&counter->value;
}

SKERRY_ALWAYS_INLINE void skerry_event_counter_add(struct skerry_event_counter *counter, uint32_t value) {
    counter->value = value;
}

SKERRY_ALWAYS_INLINE uint32_t skerry_event_counter_value(const struct skerry_event_counter *counter) {
    const uint32_t value = counter->value;
    skerry_compiler_fence();
    return value;
}

// Each core sends items through its line 0, and requests through its line 2. Both are command lines. The words of an item
// are those of line 1.
#define SKERRY_ITEM_COMMAND ((volatile uint32_t *)0xe0000u)
#define SKERRY_REQUEST_COMMAND (SKERRY_ITEM_COMMAND + 2 * SKERRY_EVENT_WORDS)
#define SKERRY_GO_ENQUEUE (4u * SKERRY_EVENT_WORDS | 1u << 8)
#define SKERRY_GO_REQUEST (4u | 2u << 8)

struct skerry_event_queue *skerry_event_queue_take(int worker, uint32_t items);
void skerry_event_queue_give(struct skerry_event_queue *queue);

SKERRY_ALWAYS_INLINE volatile uint32_t *skerry_event_item(void) {
    return SKERRY_ITEM_COMMAND + SKERRY_EVENT_WORDS;
}

SKERRY_ALWAYS_INLINE void skerry_event_aim(struct skerry_event_queue *queue) {
    SKERRY_ITEM_COMMAND[0] = (uint32_t)(uintptr_t)queue;
}

SKERRY_ALWAYS_INLINE void skerry_event_enqueue(void) {
    SKERRY_ITEM_COMMAND[2] = SKERRY_GO_ENQUEUE;
}

SKERRY_ALWAYS_INLINE void skerry_event_request(struct skerry_event_queue *queue, uint32_t *answer) {
    SKERRY_REQUEST_COMMAND[0] = (uint32_t)(uintptr_t)queue;
    SKERRY_REQUEST_COMMAND[1] = (uint32_t)(uintptr_t)answer;
    SKERRY_REQUEST_COMMAND[2] = SKERRY_GO_REQUEST;
}

// A fence that orders only writes does not wait for messages.
SKERRY_ALWAYS_INLINE void skerry_event_complete_stores(void) {
    __asm__ volatile("fence w, w" ::: "memory");
}

// -- Time --------------------------------------------------------------------------------------------------------------

uint64_t skerry_ticks(void);

#endif
