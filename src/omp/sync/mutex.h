// SPDX-License-Identifier: BSD-3-Clause
// Defines a lock of 32 bits, the size of omp_lock_t. Its values:
//     0  free.
//     1  held.
//     3  held, and marked by a thread that has waited for long.
//     2  free, but reserved for a thread that has waited.
//
// A thread that releases the lock and wants it again at once usually gets it. The reason is that its processor still
// has the cache line. This advantage is intended: giving the lock to another thread takes several times as long.
// Waiting threads are protected by the mark:
// * A thread that has waited for some microseconds marks the lock: it changes 1 to 3 (skerry_omp_mutex_wait).
// * The next release stores 2, which leaves the lock to a waiting thread.
// * Only the thread that holds the lock changes 1 to 0 and 3 to 2.
//
// Taking the lock is an acquire, releasing the lock is a release. test/model/mutex.pml is a model of this lock.
// SKERRY_OMP_LOCK=queue chooses another lock (variant/token_lock.h) in the library of variants.
#ifndef SKERRY_OMP_MUTEX_H
#define SKERRY_OMP_MUTEX_H

#include "../internal.h"
#include "../variant/token_lock.h"

#define OMP_MUTEX_HELD 1u
#define OMP_MUTEX_MARK 2u

SKERRY_PRIVATE void skerry_omp_mutex_wait(uint32_t *word);

SKERRY_ALWAYS_INLINE bool omp_mutex_try_unwatched(uint32_t *word) {
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_LOCK) == OMP_LOCK_QUEUE)) return omp_token_try(word);
    // On machines with SKERRY_NEAR_MEMORY (simulated cores with their own memories), the memory that holds the lock
    // executes atomic operations on the lock. A fetch-or is one such operation (the instruction amoor), so it needs one
    // round trip to this memory. A compare-swap is two operations (lr and sc), so it needs two round trips.
    if (SKERRY_NEAR_MEMORY) return !(__atomic_fetch_or(word, OMP_MUTEX_HELD, __ATOMIC_ACQUIRE) & OMP_MUTEX_HELD);
    uint32_t is_free = 0;
    return __atomic_compare_exchange_n(word, &is_free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

SKERRY_ALWAYS_INLINE bool omp_mutex_try(uint32_t *word) {
    bool is_taken = omp_mutex_try_unwatched(word);
    if (is_taken) skerry_sees(word);
    return is_taken;
}

SKERRY_ALWAYS_INLINE void omp_mutex_take_unwatched(uint32_t *word) {
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_LOCK) == OMP_LOCK_QUEUE)) {
        omp_token_take(word);
        return;
    }
    if (SKERRY_NEAR_MEMORY) {
        if (OMP_UNLIKELY(!omp_mutex_try_unwatched(word))) skerry_omp_mutex_wait(word);
        return;
    }
    uint32_t is_free = 0;
    if (OMP_LIKELY(__atomic_compare_exchange_n(word, &is_free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))) return;
    skerry_omp_mutex_wait(word);
}

SKERRY_ALWAYS_INLINE void omp_mutex_take(uint32_t *word) {
    omp_mutex_take_unwatched(word);
    skerry_sees(word);
}

SKERRY_ALWAYS_INLINE void omp_mutex_give(uint32_t *word) {
    skerry_publishes(word);
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_LOCK) == OMP_LOCK_QUEUE)) {
        omp_token_give(word);
        return;
    }
    if (SKERRY_NEAR_MEMORY) { // no thread marks the lock
        skerry_store_release_32(word, 0, skerry_eventcount_of(word));
        return;
    }
    // If a waiter marks the lock between this load and the store, the mark is lost. The waiter marks the lock again
    // later.
    uint32_t is_marked = __atomic_load_n(word, __ATOMIC_RELAXED) & OMP_MUTEX_MARK;
    // skerry_store_release_32 stores the word, and then loads a flag that tells whether a waiter sleeps. No fence is
    // needed between the store and the load. A waiter that goes to sleep makes all running threads execute a fence
    // (src/machine/linux/eventcount.h). A lock without contention therefore costs only one locked instruction, the
    // acquire.
    skerry_store_release_32(word, is_marked, skerry_eventcount_of(word));
}

#endif
