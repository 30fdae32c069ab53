// SPDX-License-Identifier: BSD-3-Clause
// Implements the machine contract for the threads of one Linux process, which are called workers. Code above the
// machine treats a worker as it treats a PE on other machines. Workers share all memory, so a global address is the
// ordinary address. A worker has a number, an eventcount (a place where threads sleep), and its own copy of each
// SKERRY_PER_THREAD variable.
#ifndef SKERRY_MACHINE_LINUX_WORKER_MACHINE_H
#define SKERRY_MACHINE_LINUX_WORKER_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKERRY_ALWAYS_INLINE static inline __attribute__((always_inline, unused))
#define SKERRY_PRIVATE __attribute__((visibility("hidden")))
#define SKERRY_COLD __attribute__((cold, noinline))
#define SKERRY_NORETURN __attribute__((noreturn))
#define SKERRY_PER_THREAD __thread
#define SKERRY_LINE 64
#define SKERRY_FALSE_SHARING_RANGE 128 // bytes: two lines, because processors fetch lines in pairs
#define SKERRY_LOAD_ACQUIRE(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#define SKERRY_OWN_STORES_FIRST 0
#define SKERRY_NEAR_MEMORY 0
#define SKERRY_STATIC_LIBRARY 0
#define SKERRY_PLACES 1
#define SKERRY_EVENTS 0
#define SKERRY_WORKERS_MAX 65536
#define SKERRY_EVENTCOUNTS (SKERRY_WORKERS_MAX + 64) // the last 64 eventcounts are for words that belong to no worker

typedef uint64_t skerry_word;

#include "../sleep.h"
#include "../arch/instructions.h"

// -- Who and where -----------------------------------------------------------------------------------------------------

extern SKERRY_PRIVATE SKERRY_PER_THREAD int skerry_worker_number; // -1: not a worker yet

SKERRY_ALWAYS_INLINE int skerry_my_pe(void) {
    return skerry_worker_number;
}

SKERRY_ALWAYS_INLINE void *skerry_global(const volatile void *address, int worker) {
    (void)worker;
    return (void *)address;
}

// Numbers that all workers share. A worker rests while it sleeps until its next parallel region.
//     awake        number of workers that do not rest. Changes while the program runs.
//     processors   number of processors that this process is allowed to use
//     sleepers     number of workers that do not rest, but sleep in another wait. Changes while the program runs.
struct skerry_worker_facts {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) int32_t awake;
    int32_t processors;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) int32_t sleepers;
};
extern SKERRY_PRIVATE struct skerry_worker_facts skerry_worker_facts;

SKERRY_ALWAYS_INLINE int skerry_processors(void) {
    return skerry_worker_facts.processors;
}

SKERRY_ALWAYS_INLINE bool skerry_is_oversubscribed(void) {
    return __atomic_load_n(&skerry_worker_facts.awake, __ATOMIC_RELAXED) > skerry_worker_facts.processors;
}

// -- Wait (needed by everything that writes) ---------------------------------------------------------------------------

// An eventcount: a place where threads sleep until another thread notifies them (../eventcount.h). A writer loads
// `sleeping` after every store that a thread possibly waits for. `sleeping` changes seldom, so the writer usually finds
// it in its own cache. `count` is the number of notifications.
struct skerry_eventcount {
    _Alignas(SKERRY_LINE) uint32_t sleeping;
    uint32_t count;
    uint32_t rests; // 1: this eventcount's worker rests: it sleeps until its next region, not counted as awake
};
extern SKERRY_PRIVATE struct skerry_eventcount skerry_eventcounts[SKERRY_EVENTCOUNTS];

// Returns the number of the eventcount (a place where threads sleep) for a word that belongs to no worker. The result
// depends on the word's address only.
SKERRY_ALWAYS_INLINE int skerry_eventcount_of(const volatile void *word) {
    uintptr_t hash = (uintptr_t)word >> 2;
    return SKERRY_WORKERS_MAX + (int)((hash ^ hash >> 6 ^ hash >> 12) % (SKERRY_EVENTCOUNTS - SKERRY_WORKERS_MAX));
}

struct skerry_pause {
    uint64_t began;
    uint64_t elapsed;
    uint32_t steps;
    uint32_t budget; // spin budget: nanoseconds of polling before the thread sleeps; 0: not chosen yet
    struct skerry_sleep sleep;
    bool learns; // true: the spin budget adapts to the length of this wait (wait.c)
    bool is_steady;
};
#define SKERRY_PAUSE_INIT                                                                                              \
    { 0, 0, 0, 0, {0, 0, 0, 0, 0}, false, false }
#define SKERRY_SPIN_STEPS 64
// A yield can cost a whole time slice of another program. After a yield of this kind, the next waits of all workers do
// not yield. SKERRY_WAITS_WITHOUT_YIELD is the number of these waits after the first yield of this kind. Each further
// one doubles the number, up to SKERRY_WAITS_WITHOUT_YIELD_MOST (../spin_budget.c).
#define SKERRY_WAITS_WITHOUT_YIELD 256u
#define SKERRY_WAITS_WITHOUT_YIELD_MOST 16384u

SKERRY_PRIVATE void skerry_notify_all(int eventcount);
SKERRY_PRIVATE int skerry_notify_n(int eventcount, int most);
SKERRY_PRIVATE void skerry_pause_slow(struct skerry_pause *pause, int eventcount);
SKERRY_PRIVATE void skerry_pause_learn(const struct skerry_pause *pause);

SKERRY_ALWAYS_INLINE void skerry_wake(int eventcount) {
    if (__builtin_expect(
            __atomic_load_n((volatile uint32_t *)&skerry_eventcounts[eventcount].sleeping, __ATOMIC_RELAXED) != 0, 0))
        skerry_notify_all(eventcount);
}

SKERRY_ALWAYS_INLINE bool skerry_has_sleepers(void) {
    return true; // not known
}

// Wakes at most `most` of the threads that sleep at the eventcount, and returns how many threads it woke. The other
// threads sleep until the next skerry_wake.
SKERRY_ALWAYS_INLINE int skerry_wake_n(int eventcount, int most) {
    bool is_asleep =
        __atomic_load_n((volatile uint32_t *)&skerry_eventcounts[eventcount].sleeping, __ATOMIC_RELAXED) != 0;
    return is_asleep ? skerry_notify_n(eventcount, most) : 0;
}

// Does one step of a wait. The waits of PEs (../machine.h) first execute a fence, which makes the waiter's own earlier
// store visible sooner. For threads the fence costs more than it gains: a barrier of two workers took 150 ns with the
// fence and 138 ns without it.
SKERRY_ALWAYS_INLINE void skerry_pause(struct skerry_pause *pause, int eventcount) {
    if (pause->steps < SKERRY_SPIN_STEPS && !skerry_is_oversubscribed()) {
        skerry_arch_relax();
        pause->steps++;
        return;
    }
    skerry_pause_slow(pause, eventcount);
}

SKERRY_ALWAYS_INLINE void skerry_pause_end(struct skerry_pause *pause) {
    if (__builtin_expect(pause->learns, 0)) skerry_pause_learn(pause);
}

SKERRY_ALWAYS_INLINE void skerry_pause_again(struct skerry_pause *pause) {
    skerry_pause_end(pause);
    *pause = (struct skerry_pause)SKERRY_PAUSE_INIT;
}

// Gives a fixed spin budget (how long to poll before a sleep) to a wait that is about to begin. The length of this wait
// does not change later spin budgets. Used for locks: chance decides when a thread gets a lock, so the length of the
// wait does not show whether other threads run.
SKERRY_ALWAYS_INLINE void skerry_pause_steadily(struct skerry_pause *pause) {
    pause->is_steady = true;
}

// Returns true if the wait's next step is to sleep.
SKERRY_ALWAYS_INLINE bool skerry_pause_is_armed(const struct skerry_pause *pause) {
    return pause->sleep.armed;
}

SKERRY_ALWAYS_INLINE void skerry_relax(void) {
    skerry_arch_relax();
}

// -- Order -------------------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_fence(void) {
    skerry_arch_fence();
}

SKERRY_ALWAYS_INLINE void skerry_quiet(void) {
    skerry_arch_full_fence();
}

// -- Atomics and words of synchronisation ------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_compiler_fence(void) {
    __asm__ volatile("" ::: "memory");
}

SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_load_32(const volatile void *word, int worker) {
    (void)worker;
    return __atomic_load_n((const volatile uint32_t *)word, __ATOMIC_ACQUIRE);
}

SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_claim_32(void *word, uint32_t expected, uint32_t value, int worker) {
    (void)worker;
    __atomic_compare_exchange_n((uint32_t *)word, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
}

SKERRY_ALWAYS_INLINE void skerry_store_release(skerry_word *word, skerry_word value, int worker) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    skerry_compiler_fence();
    skerry_wake(worker);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_32(uint32_t *word, uint32_t value, int worker) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    skerry_compiler_fence();
    skerry_wake(worker);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int worker) {
    skerry_store_release((skerry_word *)(void *)words, (uint64_t)second << 32 | first, worker);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count(skerry_word *word, skerry_word value, int worker) {
    (void)worker;
    return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count_and_wake(skerry_word *word, skerry_word value, int worker) {
    skerry_word before = __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
    skerry_wake(worker);
    return before;
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_poll(const skerry_word *word, int worker) {
    (void)worker;
    return SKERRY_LOAD_ACQUIRE(word);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_claim(skerry_word *word, skerry_word expected, skerry_word value,
                                                     int worker) {
    (void)worker;
    __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
}

// -- Tools that watch for races ----------------------------------------------------------------------------------------

// True if the program runs under the thread sanitizer. The sanitizer does not see the atomic operations of this
// library. So the library must report which accesses these operations order.
extern SKERRY_PRIVATE bool skerry_is_watched;
SKERRY_PRIVATE void skerry_report_publishing(const volatile void *address);
SKERRY_PRIVATE void skerry_report_seeing(const volatile void *address);

SKERRY_ALWAYS_INLINE void skerry_publishes(const volatile void *address) {
    if (__builtin_expect(skerry_is_watched, 0)) skerry_report_publishing(address);
}

SKERRY_ALWAYS_INLINE void skerry_sees(const volatile void *address) {
    if (__builtin_expect(skerry_is_watched, 0)) skerry_report_seeing(address);
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

SKERRY_ALWAYS_INLINE uint64_t skerry_ticks(void) {
    return skerry_arch_ticks();
}

#endif
