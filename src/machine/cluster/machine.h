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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKERRY_ALWAYS_INLINE static inline __attribute__((always_inline, unused))
#define SKERRY_PRIVATE
#define SKERRY_COLD __attribute__((cold, noinline))
#define SKERRY_NORETURN __attribute__((noreturn))
#define SKERRY_PER_THREAD __thread
#define SKERRY_LINE 8 // there are no data caches; 8 bytes is the widest access
#define SKERRY_FALSE_SHARING_RANGE 8
// Bytes after which the banks of the memory begin again: 16 banks of 8 bytes.
#define SKERRY_BANKS_BYTES 128
#define SKERRY_LOAD_ACQUIRE(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#define SKERRY_OWN_STORES_FIRST 1
#define SKERRY_NEAR_MEMORY 1 // near a worker: in the bank in which only this worker polls
#define SKERRY_PLACES 0
#define SKERRY_EVENTS 1
#define SKERRY_EVENT_TARGETS 0
#define SKERRY_EVENT_WORDS 8
#define SKERRY_WORKERS_MAX 32

typedef uint32_t skerry_word;

// These two macros replace the compiler's atomic load and store, which GCC 12 makes slow on this machine:
// * A store: GCC uses an amoswap, which waits for an answer of the memory. A store release needs a fence only
//   before the store.
// * A load acquire: GCC adds a full fence, which takes a cycle. The fence is not needed, because on
//   this machine a load ends before the next instruction begins.
// For accesses of 8 bytes the macros use the compiler's operation, which calls a function. (C does not expand a macro
// inside its own expansion, so the names in the bodies are the compiler's.)
#define __atomic_load_n(word, order)                                                                                   \
    __extension__({                                                                                                    \
        __auto_type skerry_loaded = __atomic_load_n(word, sizeof *(word) > 4 ? (order) : __ATOMIC_RELAXED);            \
        __asm__ volatile("" ::: "memory");                                                                             \
        skerry_loaded;                                                                                                 \
    })
#define __atomic_store_n(word, value, order)                                                                           \
    __extension__({                                                                                                    \
        if (sizeof *(word) > 4) __atomic_store_n(word, value, order);                                                  \
        else {                                                                                                         \
            if ((order) != __ATOMIC_RELAXED) __atomic_thread_fence(__ATOMIC_RELEASE);                                  \
            *(volatile __typeof__(*(word)) *)(word) = (value);                                                         \
            if ((order) == __ATOMIC_SEQ_CST) __atomic_thread_fence(__ATOMIC_SEQ_CST);                                  \
        }                                                                                                              \
    })

// -- Who and where -----------------------------------------------------------------------------------------------------

extern SKERRY_PER_THREAD int skerry_worker_number;
extern int skerry_cores_of_job;

SKERRY_ALWAYS_INLINE int skerry_my_pe(void) {
    return skerry_worker_number;
}

SKERRY_ALWAYS_INLINE bool skerry_is_oversubscribed(void) {
    return false;
}

SKERRY_ALWAYS_INLINE void *skerry_global(const volatile void *address, int worker) {
    (void)worker;
    return (void *)address;
}

SKERRY_ALWAYS_INLINE int skerry_processors(void) {
    return skerry_cores_of_job;
}

// -- Wait: a core has nothing else to do, and nobody needs to be woken -------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_yield(void) {
}

struct skerry_pause {
    bool unused;
};
#define SKERRY_PAUSE_INIT                                                                                              \
    { false }

SKERRY_ALWAYS_INLINE void skerry_pause(struct skerry_pause *pause, int eventcount) {
    (void)pause;
    (void)eventcount;
}

SKERRY_ALWAYS_INLINE void skerry_pause_again(struct skerry_pause *pause) {
    (void)pause;
}

SKERRY_ALWAYS_INLINE void skerry_pause_end(struct skerry_pause *pause) {
    (void)pause;
}

SKERRY_ALWAYS_INLINE void skerry_pause_steadily(struct skerry_pause *pause) {
    (void)pause;
}

SKERRY_ALWAYS_INLINE bool skerry_pause_is_armed(const struct skerry_pause *pause) {
    (void)pause;
    return false;
}

SKERRY_ALWAYS_INLINE void skerry_relax(void) {
}

SKERRY_ALWAYS_INLINE int skerry_wake_n(int eventcount, int most) {
    (void)eventcount;
    (void)most;
    return 0;
}

SKERRY_ALWAYS_INLINE void skerry_wake(int eventcount) {
    (void)eventcount;
}

SKERRY_ALWAYS_INLINE int skerry_eventcount_of(const volatile void *word) {
    (void)word;
    return 0;
}

#include "../riscv/worker_words.h"

// Stores `second` to words[1], and then `first` to words[0], which the receiver polls. The memory performs the two stores in
// this order. If the message refers to other data, the sender calls skerry_complete_stores before this function.
SKERRY_ALWAYS_INLINE void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int worker) {
    (void)worker;
    skerry_compiler_fence();
    __atomic_store_n(&words[1], second, __ATOMIC_RELAXED);
    __atomic_store_n(&words[0], first, __ATOMIC_RELAXED);
}

// Two words that skerry_store_pair stores by one instruction. The type is double because the cores have no integer
// registers of 64 bits. Loads and stores of a double do not change its bits.
typedef double skerry_pair;

SKERRY_ALWAYS_INLINE skerry_pair skerry_pair_make(uint32_t first, uint32_t second) {
    union {
        uint32_t words[2];
        skerry_pair pair;
    } both = {{first, second}};
    return both.pair;
}

SKERRY_ALWAYS_INLINE void skerry_store_pair(uint32_t *words, skerry_pair pair, int worker) {
    (void)worker;
    *(volatile skerry_pair *)(volatile void *)words = pair;
}

SKERRY_ALWAYS_INLINE void skerry_complete_stores(void) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

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
