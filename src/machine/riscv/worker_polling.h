// SPDX-License-Identifier: BSD-3-Clause
// Implements the part of the machine contract that is the same for all workers of which each has a RISC-V core of its own
// and polls while it waits. A core never sleeps in a wait, so no worker needs to be woken. The machines sarc and cluster
// include this file.
//
// Order of memory accesses: a load or an atomic operation ends before the core's next instruction begins, and the stores of
// one core to one memory are performed in program order.
#ifndef SKERRY_MACHINE_RISCV_WORKER_POLLING_H
#define SKERRY_MACHINE_RISCV_WORKER_POLLING_H

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
#define SKERRY_LOAD_ACQUIRE(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#define SKERRY_OWN_STORES_FIRST 1
#define SKERRY_PLACES 0

typedef uint32_t skerry_word;

// These two macros replace the compiler's atomic load and store, which GCC 12 makes slow on these machines:
// * A store: GCC uses an amoswap, which takes a round trip to the word's memory. A store release needs a fence only
//   before the store.
// * A load acquire: GCC adds a full fence, which on sarc waits for the core's own stores. The fence is not needed, because
//   on these machines a load ends before the next instruction begins.
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

SKERRY_ALWAYS_INLINE bool skerry_has_sleepers(void) {
    return false;
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

#include "worker_words.h"

// Stores `second` to words[1], and then `first` to words[0], which the receiver polls. The stores of one core to one memory
// are performed in program order. So a receiver that sees the new words[0] also sees the new words[1], without a fence
// between the two stores. If the message refers to other data, the sender calls skerry_complete_stores before this function.
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

#endif
