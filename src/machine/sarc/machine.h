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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKERRY_ALWAYS_INLINE static inline __attribute__((always_inline, unused))
#define SKERRY_PRIVATE
#define SKERRY_COLD __attribute__((cold, noinline))
#define SKERRY_NORETURN __attribute__((noreturn))
#define SKERRY_PER_THREAD __thread
#define SKERRY_LINE 8 // there are no caches; 8 bytes is the widest access
#define SKERRY_FALSE_SHARING_RANGE 8
#define SKERRY_LOAD_ACQUIRE(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#define SKERRY_OWN_STORES_FIRST 1
#define SKERRY_NEAR_MEMORY 1
#define SKERRY_PLACES 0
#define SKERRY_EVENTS 1
#define SKERRY_EVENT_TARGETS 4
#define SKERRY_EVENT_WORDS 8
#define SKERRY_WORKERS_MAX 64

typedef uint32_t skerry_word;

// These two macros replace the compiler's atomic load and store, which GCC 12 makes slow on this machine:
// * A store: GCC uses an amoswap, which takes a round trip to the word's memory. A store release needs a fence only
//   before the store.
// * A load acquire: GCC adds a full fence, which waits for the core's own stores. The fence is not needed, because on
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

// Stores `second` to words[1], and then `first` to words[0], which the receiver polls. The two words are in the
// receiver's own memory, and stores of one core to one memory arrive in order. So a receiver that sees the new words[0]
// also sees the new words[1], without a fence between the two stores. If the message refers to data in other memories,
// the sender calls skerry_complete_stores before this function.
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
