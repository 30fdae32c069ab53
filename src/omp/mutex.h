// SPDX-License-Identifier: BSD-3-Clause
// A lock of 32 bits, the size of omp_lock_t. Its values:
//     0  free
//     1  held
//     3  held, and marked by a thread that has waited for long
//     2  free, but reserved for a thread that has waited
// Releasing the lock is a plain store. The ordering between that store and a sleeping waiter is paid by the waiter
// before it sleeps (skerry_wake). So a lock without contention costs one locked operation. A thread that wants the lock
// again at once gets it, because its processor has the cache line: that is several times as fast as a hand-over. A
// thread that has waited for some microseconds adds the mark 2, and the next release leaves the lock to a waiting
// thread. Only the holder changes 1 to 0 and 3 to 2. A mark that is set between the holder's load and its store is
// lost; the waiter sets it again. Taking the lock is an acquire, releasing it a release. Model: test/model/mutex.pml.
//
// The other kind is the lock of Tendulkar et al. 2011: a queue with many readers that holds one token. A thread takes
// the lock when it dequeues the token. The queue gives later messages to waiting readers in the order of their
// requests. With a single token only the tickets of such a queue are needed: the low half of the word counts requests,
// the high half counts how often the token was given back.
#ifndef SKERRY_OMP_MUTEX_H
#define SKERRY_OMP_MUTEX_H

#include "internal.h"

#define OMP_MUTEX_HELD 1u
#define OMP_MUTEX_MARK 2u

SKERRY_PRIVATE void skerry_omp_mutex_wait(uint32_t *word);
SKERRY_PRIVATE void skerry_omp_token_wait(uint32_t *word, uint16_t ticket);
extern SKERRY_PRIVATE bool skerry_omp_token_locks;

SKERRY_ALWAYS_INLINE bool omp_mutex_try_unwatched(uint32_t *word) {
    if (OMP_UNLIKELY(skerry_omp_token_locks)) {
        uint32_t is = __atomic_load_n(word, __ATOMIC_RELAXED);
        if ((uint16_t)is != (uint16_t)(is >> 16)) return false;
        uint32_t next = (is & 0xffff0000u) | (uint16_t)(is + 1);
        return __atomic_compare_exchange_n(word, &is, next, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    }
    uint32_t is_free = 0;
    return __atomic_compare_exchange_n(word, &is_free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

SKERRY_ALWAYS_INLINE bool omp_mutex_try(uint32_t *word) {
    bool is_taken = omp_mutex_try_unwatched(word);
    if (is_taken) skerry_sees(word);
    return is_taken;
}

SKERRY_ALWAYS_INLINE void omp_mutex_take_unwatched(uint32_t *word) {
    if (OMP_UNLIKELY(skerry_omp_token_locks)) {
        uint16_t ticket = __atomic_fetch_add((uint16_t *)(void *)word, 1, __ATOMIC_ACQUIRE);
        if (__atomic_load_n((uint16_t *)(void *)word + 1, __ATOMIC_ACQUIRE) != ticket)
            skerry_omp_token_wait(word, ticket);
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
    if (OMP_UNLIKELY(skerry_omp_token_locks)) {
        uint16_t *returned = (uint16_t *)(void *)word + 1;
        uint16_t before = __atomic_load_n(returned, __ATOMIC_RELAXED); // only the holder changes it
        __atomic_store_n(returned, (uint16_t)(before + 1), __ATOMIC_RELEASE);
        skerry_compiler_fence();
        skerry_wake(skerry_eventcount_of(word));
        return;
    }
    uint32_t is_marked = __atomic_load_n(word, __ATOMIC_RELAXED) & OMP_MUTEX_MARK;
    skerry_store_release_32(word, is_marked, skerry_eventcount_of(word));
}

#endif
