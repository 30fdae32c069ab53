// SPDX-License-Identifier: BSD-3-Clause
// A lock in 32 bits, as omp_lock_t gives it: 0 free, 1 held, 3 held and somebody has waited for long, 2 free for one who waits. Giving it
// back is a store: who sleeps for it pays (the machine's bells), so that without contention a lock costs one locked operation. A
// thread that wants the lock again at once gets it, which is several times as fast as handing it over; one that has waited for some
// microseconds marks it, and it goes to one who waits next time. Only the holder changes 1 and 3 to 0 and 2; a mark that falls
// between its look and its store is lost, and made again. Taking acquires, giving back releases. Model: test/model/mutex.pml.
// The other kind is that of Tendulkar et al. 2011: a queue of many readers with one token, from which taking the lock dequeues. Readers of
// an empty queue are matched with enqueues to come in the order in which they asked, and with one token nothing but the tickets is left of
// such a queue: the low half counts who asked, the high half how often the token came back.
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
