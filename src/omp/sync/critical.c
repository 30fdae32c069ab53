// SPDX-License-Identifier: BSD-3-Clause
// Implements critical sections, and the atomic constructs that the compiler cannot translate into one instruction. The
// compiler provides a word for the lock of each named section. All unnamed sections share one lock, and all these
// atomic constructs share another lock.
#include "mutex.h"
#include "near_lock.h"

static _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t unnamed;
static _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t atomics;

// Limits for a thread that waits for a lock. The unit is a step: one call of skerry_pause. Each poll of the lock moves
// the lock's cache line away from the holder of the lock. The holder needs the line to release the lock. A waiter
// therefore makes many steps between two polls, and more steps before each further poll. The values were measured by
// the benchmarks lock and critical of bench/openmp.
#define BACKOFF_STEPS_MIN 4
#define BACKOFF_STEPS_MAX 64
#define STEPS_TO_TAKE_MARKED 16 // steps after which a waiter takes a lock that is free but reserved for waiters
#define STEPS_TO_MARK 256       // steps after which a waiter marks the lock (OMP_MUTEX_MARK)
#define YIELDS_TO_MARK 256      // steps after which a waiter marks the lock if threads are oversubscribed

void skerry_omp_mutex_wait(uint32_t *word) {
    if (SKERRY_NEAR_MEMORY) {
        do SKERRY_WAIT_UNTIL(!(__atomic_load_n(word, __ATOMIC_RELAXED) & OMP_MUTEX_HELD), skerry_eventcount_of(word));
        while (!omp_mutex_try_unwatched(word));
        return;
    }
    int eventcount = skerry_eventcount_of(word);
    uint32_t backoff = BACKOFF_STEPS_MIN, steps = 0;
    SKERRY_PAUSE(pause);
    skerry_pause_steadily(&pause);
    for (;;) {
        bool sleeps = skerry_pause_is_armed(&pause);
        for (uint32_t i = 0; i < backoff && (i == 0 || !skerry_pause_is_armed(&pause)); i++)
            skerry_pause(&pause, eventcount);
        steps += sleeps ? STEPS_TO_MARK : backoff;
        uint32_t is = __atomic_load_n(word, __ATOMIC_RELAXED);
        bool is_mine = is == 0 || (is == OMP_MUTEX_MARK && steps > STEPS_TO_TAKE_MARKED);
        if (is_mine &&
            __atomic_compare_exchange_n(word, &is, OMP_MUTEX_HELD, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        bool is_oversubscribed = skerry_is_oversubscribed();
        if (is == OMP_MUTEX_HELD && steps > (is_oversubscribed ? YIELDS_TO_MARK : STEPS_TO_MARK))
            __atomic_compare_exchange_n(word, &is, OMP_MUTEX_HELD | OMP_MUTEX_MARK, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED);
        backoff = is_oversubscribed ? 1 : backoff < BACKOFF_STEPS_MAX ? 4 * backoff : BACKOFF_STEPS_MAX;
    }
}

SKERRY_ALWAYS_INLINE void begin_section(uint32_t *word) {
#if SKERRY_NEAR_MEMORY
    near_lock_take(word);
#else
    omp_mutex_take(word);
#endif
}

SKERRY_ALWAYS_INLINE void end_section(uint32_t *word) {
#if SKERRY_NEAR_MEMORY
    (void)word; // sections nest, so the lock is the one that the thread took last
    near_lock_give();
#else
    omp_mutex_give(word);
#endif
}

OMP_EXPORT void GOMP_critical_start(void) {
    begin_section(&unnamed);
}

OMP_EXPORT void GOMP_critical_end(void) {
    end_section(&unnamed);
}

OMP_EXPORT void GOMP_critical_name_start(void **name) {
    begin_section((uint32_t *)(void *)name);
}

OMP_EXPORT void GOMP_critical_name_end(void **name) {
    end_section((uint32_t *)(void *)name);
}

OMP_EXPORT void GOMP_atomic_start(void) {
    begin_section(&atomics);
}

OMP_EXPORT void GOMP_atomic_end(void) {
    end_section(&atomics);
}
