// SPDX-License-Identifier: BSD-3-Clause
// Defines the lock of Tendulkar et al. 2011 (SKERRY_OMP_LOCK=queue). The idea is a queue that contains one token. A
// thread acquires the lock by dequeuing the token, and releases the lock by enqueuing the token again. Threads get the
// token in the order of their requests. With one token, two counts replace the queue: the low half of the word counts
// requests, and the high half counts returns of the token.
#ifndef SKERRY_OMP_TOKEN_LOCK_H
#define SKERRY_OMP_TOKEN_LOCK_H

#include "variant.h"

SKERRY_PRIVATE void skerry_omp_token_wait(uint32_t *word, uint16_t ticket); // in token_lock.c

SKERRY_ALWAYS_INLINE bool omp_token_try(uint32_t *word) {
    uint32_t is = __atomic_load_n(word, __ATOMIC_RELAXED);
    if ((uint16_t)is != (uint16_t)(is >> 16)) return false;
    uint32_t next = (is & 0xffff0000u) | (uint16_t)(is + 1);
    return __atomic_compare_exchange_n(word, &is, next, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

SKERRY_ALWAYS_INLINE void omp_token_take(uint32_t *word) {
    uint16_t ticket = __atomic_fetch_add((uint16_t *)(void *)word, 1, __ATOMIC_ACQUIRE);
    if (__atomic_load_n((uint16_t *)(void *)word + 1, __ATOMIC_ACQUIRE) != ticket) skerry_omp_token_wait(word, ticket);
}

SKERRY_ALWAYS_INLINE void omp_token_give(uint32_t *word) {
    uint16_t *returned = (uint16_t *)(void *)word + 1;
    uint16_t before = __atomic_load_n(returned, __ATOMIC_RELAXED); // only the thread that holds the lock changes it
    __atomic_store_n(returned, (uint16_t)(before + 1), __ATOMIC_RELEASE);
    skerry_compiler_fence();
    skerry_wake(skerry_eventcount_of(word));
}

#endif
