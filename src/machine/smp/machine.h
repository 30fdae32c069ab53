// SPDX-License-Identifier: BSD-3-Clause
// Implements the machine contract for the workers of a machine whose cores share one memory and have no operating
// system, such as the simulated smp-16. All addresses mean the same byte in every core. A worker is a thread with a
// stack of its own, and belongs to one core.
// * If a core has several workers, a worker gives the core to the next worker only while it waits (worker.c).
// * A worker that is alone on its core polls for a while when it waits. Then it sleeps until another core notifies it
//   (wait.c).
#ifndef SKERRY_MACHINE_SMP_MACHINE_H
#define SKERRY_MACHINE_SMP_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKERRY_ALWAYS_INLINE static inline __attribute__((always_inline, unused))
#define SKERRY_PRIVATE
#define SKERRY_COLD __attribute__((cold, noinline))
#define SKERRY_NORETURN __attribute__((noreturn))
#define SKERRY_PER_THREAD __thread
// Size in bytes of the groups in which the runtime lays out its data structures. The hardware has no cache lines.
#define SKERRY_LINE 64
// Distance in bytes that the runtime keeps between words of different writers. The hardware has no caches, so words
// need not be this far apart. The value only determines the layout of data structures.
#define SKERRY_FALSE_SHARING_RANGE 64
#define SKERRY_BANKS_BYTES 8 // large blocks have the alignment of malloc (../riscv/worker_memory.c)
#define SKERRY_LOAD_ACQUIRE(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#define SKERRY_OWN_STORES_FIRST 0
#define SKERRY_NEAR_MEMORY 0
#define SKERRY_STATIC_LIBRARY 1
#define SKERRY_PLACES 1
#define SKERRY_EVENTS 0
#define SKERRY_WORKERS_MAX 256
// The first SKERRY_WORKERS_MAX eventcounts (places where workers sleep) belong to the workers, one to each. The last 64
// eventcounts are for words that do not belong to one worker (skerry_eventcount_of).
#define SKERRY_EVENTCOUNTS (SKERRY_WORKERS_MAX + 64)

typedef uint32_t skerry_word;

// -- Who and where -----------------------------------------------------------------------------------------------------

extern SKERRY_PER_THREAD int skerry_worker_number;
// Points to the number of workers that wait for the calling worker's core.
extern SKERRY_PER_THREAD const uint32_t *skerry_waiting;
extern int skerry_cores_of_job;

SKERRY_ALWAYS_INLINE int skerry_my_pe(void) {
    return skerry_worker_number;
}

SKERRY_ALWAYS_INLINE bool skerry_is_oversubscribed(void) {
    return false; // a wait gives its core away at the first failed poll in any case
}

SKERRY_ALWAYS_INLINE void *skerry_global(const volatile void *address, int worker) {
    (void)worker;
    return (void *)address;
}

SKERRY_ALWAYS_INLINE int skerry_processors(void) {
    return skerry_cores_of_job;
}

// -- Wait --------------------------------------------------------------------------------------------------------------

// Gives the core to the next worker that waits for it. Returns at once if no worker waits.
void skerry_yield(void);

// An eventcount: a place where workers sleep until a writer notifies them. `sleepers` has a bit for each core on which
// a worker sleeps, or is about to sleep, at this eventcount. `count` counts notifications. The worker sets the bit of
// its core, and a notification clears all bits.
//
// Why no wake-up is lost:
// * A writer stores its word, executes a fence, and loads `sleepers`.
// * A sleeper sets its bit, executes a fence, and loads the word once more before it sleeps.
// * So either the writer sees the bit, or the sleeper sees the new value of the word.
struct skerry_eventcount {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t sleepers;
    uint32_t count;
};
extern struct skerry_eventcount skerry_eventcounts[SKERRY_EVENTCOUNTS];
// Number of bits that are set in `sleepers` of all eventcounts. A worker that sets a bit adds 1 before. So if the number is 0,
// no bit is set.
extern uint32_t skerry_sleepers;

struct skerry_pause {
    uint32_t steps;
    uint32_t count; // of the eventcount, when the wait was armed
    int eventcount; // the same
    bool is_armed;
};
#define SKERRY_PAUSE_INIT                                                                                              \
    { 0, 0, 0, false }
// Number of polls before a worker sleeps: some 500 cycles.
#define SKERRY_SPIN_STEPS 64

void skerry_pause_slow(struct skerry_pause *pause, int eventcount);
void skerry_disarm(const struct skerry_pause *pause);
int skerry_notify(int eventcount);

SKERRY_ALWAYS_INLINE void skerry_pause(struct skerry_pause *pause, int eventcount) {
    if (__builtin_expect(__atomic_load_n(skerry_waiting, __ATOMIC_RELAXED) != 0, 0)) skerry_yield();
    else if (__builtin_expect(++pause->steps > SKERRY_SPIN_STEPS, 0)) skerry_pause_slow(pause, eventcount);
}

SKERRY_ALWAYS_INLINE void skerry_pause_end(struct skerry_pause *pause) {
    if (__builtin_expect(pause->is_armed, 0)) skerry_disarm(pause);
}

SKERRY_ALWAYS_INLINE void skerry_pause_again(struct skerry_pause *pause) {
    skerry_pause_end(pause);
    *pause = (struct skerry_pause)SKERRY_PAUSE_INIT;
}

SKERRY_ALWAYS_INLINE void skerry_pause_steadily(struct skerry_pause *pause) {
    (void)pause;
}

SKERRY_ALWAYS_INLINE bool skerry_pause_is_armed(const struct skerry_pause *pause) {
    return pause->is_armed;
}

SKERRY_ALWAYS_INLINE void skerry_relax(void) {
}

// Has a fence for the same reason as skerry_wake_n.
SKERRY_ALWAYS_INLINE bool skerry_has_sleepers(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return __atomic_load_n(&skerry_sleepers, __ATOMIC_RELAXED) != 0;
}

// Wakes all workers that sleep at an eventcount. The caller has already stored the word that these workers wait for.
// Returns the number of cores that were notified.
SKERRY_ALWAYS_INLINE int skerry_wake_n(int eventcount, int most) {
    (void)most; // wakes all sleepers: a woken worker that finds nothing to do sleeps again
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&skerry_eventcounts[eventcount].sleepers, __ATOMIC_RELAXED) == 0, 1)) return 0;
    return skerry_notify(eventcount);
}

SKERRY_ALWAYS_INLINE void skerry_wake(int eventcount) {
    (void)skerry_wake_n(eventcount, 0);
}

// Returns the number of the eventcount (a place where workers sleep) for a word that belongs to no worker. The result
// depends on the word's address only.
SKERRY_ALWAYS_INLINE int skerry_eventcount_of(const volatile void *word) {
    const uintptr_t hash = (uintptr_t)word >> 2;
    return SKERRY_WORKERS_MAX + (int)((hash ^ hash >> 6) % (SKERRY_EVENTCOUNTS - SKERRY_WORKERS_MAX));
}

#include "../riscv/worker_words.h"

// Stores two words and wakes their reader, the worker `worker`. The reader polls words[0] with a load acquire, and then
// reads words[1]. So this function stores words[1] first, and then words[0] by a store release.
SKERRY_ALWAYS_INLINE void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int worker) {
    __atomic_store_n(&words[1], second, __ATOMIC_RELAXED);
    __atomic_store_n(&words[0], first, __ATOMIC_RELEASE);
    skerry_wake(worker);
}

// -- Memory: the same for all workers ----------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_complete_stores(void) {
}

SKERRY_ALWAYS_INLINE int skerry_worker_next(void) {
    return -1; // not needed: SKERRY_NEAR_MEMORY is 0
}

void *skerry_memory_take(size_t bytes, size_t alignment);
SKERRY_ALWAYS_INLINE void *skerry_memory_take_near(size_t bytes, size_t alignment, int worker) {
    (void)worker;
    return skerry_memory_take(bytes, alignment);
}

// -- Time --------------------------------------------------------------------------------------------------------------

uint64_t skerry_ticks(void);

#endif
