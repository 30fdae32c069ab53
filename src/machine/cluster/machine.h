// SPDX-License-Identifier: BSD-3-Clause
// Implements the machine contract for the workers of a cluster: RISC-V cores without an operating system that share one
// memory of a few banks, such as the simulated mppa-cluster. Each core has one worker, a thread that runs on it for the
// whole job. A worker that waits for others polls.
//
// What makes this machine fast:
// * Words that a worker polls lie in a bank of its own (skerry_memory_take_near), so polls do not delay other accesses.
// * Counters and queues are software here: a counter is a word to which workers add by AMOADD without a wait for the
//   result.
//
// Order of memory accesses: a load or an atomic operation ends before the core's next instruction begins. The memory
// performs the stores of a core in program order, and all cores see a store at the same time. The code still has the
// fences that RISC-V's memory order (RVWMO) needs between stores. They take one cycle.
#ifndef SKERRY_MACHINE_CLUSTER_MACHINE_H
#define SKERRY_MACHINE_CLUSTER_MACHINE_H

#include "../riscv/worker_polling.h"

// Bytes after which the banks of the memory begin again: 16 banks of 8 bytes.
#define SKERRY_BANKS_BYTES 128
#define SKERRY_NEAR_MEMORY 1 // near a worker: in the bank in which only this worker polls
#define SKERRY_STATIC_LIBRARY 1
#define SKERRY_EVENTS 1
#define SKERRY_EVENT_TARGETS 0
#define SKERRY_EVENT_WORDS 8
#define SKERRY_WORKERS_MAX 32

// -- Counters and queues, in software ----------------------------------------------------------------------------------

struct skerry_event_counter {
    uint32_t value;
};

struct skerry_event_counter *skerry_event_counter_take(int worker);
void skerry_event_counter_give(struct skerry_event_counter *counter);

SKERRY_ALWAYS_INLINE bool skerry_event_reaches(const volatile void *address, int worker) {
    (void)address;
    (void)worker;
    return true;
}

SKERRY_ALWAYS_INLINE void skerry_event_counter_add(struct skerry_event_counter *counter, uint32_t value) {
    __atomic_fetch_add(&counter->value, value, __ATOMIC_RELAXED);
}

SKERRY_ALWAYS_INLINE uint32_t skerry_event_counter_value(const struct skerry_event_counter *counter) {
    return __atomic_load_n(&counter->value, __ATOMIC_ACQUIRE);
}

// The calling worker's next item, and the queue to which its items go.
struct skerry_event_queue;
extern SKERRY_PER_THREAD struct skerry_own_item {
    _Alignas(8) volatile uint32_t words[SKERRY_EVENT_WORDS];
    struct skerry_event_queue *queue;
} skerry_own_item;

struct skerry_event_queue *skerry_event_queue_take(int worker, uint32_t items);
void skerry_event_queue_give(struct skerry_event_queue *queue);
void skerry_event_enqueue(void);
void skerry_event_request(struct skerry_event_queue *queue, uint32_t *answer);

SKERRY_ALWAYS_INLINE volatile uint32_t *skerry_event_item(void) {
    return skerry_own_item.words;
}

SKERRY_ALWAYS_INLINE void skerry_event_aim(struct skerry_event_queue *queue) {
    skerry_own_item.queue = queue;
}

SKERRY_ALWAYS_INLINE void skerry_event_complete_stores(void) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

// -- Time --------------------------------------------------------------------------------------------------------------

uint64_t skerry_ticks(void);

#endif
