// SPDX-License-Identifier: BSD-3-Clause
// Declares a distributed queue lock. PEs get the lock in the order in which they join its queue. The lock is a
// symmetric long, which is zero in every PE while the lock is free. Without contention, one compare-swap acquires the
// lock, and one compare-swap releases it. lock.c has the algorithm.
//
// The long has two fields. The fields hold ranks counted from 1, so that 0 means no PE:
//
//     next  on every PE:     rank of the next PE in the queue after this PE. Plus HOLDING while this PE holds the lock,
//                            plus WAITING while this PE waits for the lock
//     last  on the home PE:  rank of the last PE in the queue. The home PE is SKERRY_LOCK_HOME
#ifndef SKERRY_PRIMITIVE_LOCK_H
#define SKERRY_PRIMITIVE_LOCK_H

#include <limits.h>

#include "../machine/machine.h"

#define SKERRY_LOCK_HOME 0

#if LONG_MAX > INT32_MAX
struct skerry_lock {
    uint32_t next;
    uint32_t last;
};

#define SKERRY_LOCK_HOLDING 0x40000000u
#define SKERRY_LOCK_WAITING 0x80000000u

// Acquires the lock if it is free. If not, returns false and changes nothing. lock.c says which PE changes which word.
SKERRY_ALWAYS_INLINE bool skerry_lock_take(long *lock) {
    struct skerry_lock *fields = (struct skerry_lock *)(void *)lock;
    if (__atomic_load_n(&fields->next, __ATOMIC_RELAXED) != 0) return false;
    // Stored before this PE joins the queue. As soon as this PE is in the queue, the next PE can add to `next`.
    __atomic_store_n(&fields->next, SKERRY_LOCK_HOLDING, __ATOMIC_RELAXED);
    if (skerry_atomic_claim_32(&fields->last, 0, (uint32_t)skerry_my_pe() + 1, SKERRY_LOCK_HOME) == 0) return true;
    __atomic_store_n(&fields->next, 0, __ATOMIC_RELAXED);
    return false;
}

// Releases the lock if this PE holds it and no PE waits for it. If not, returns false and changes nothing.
SKERRY_ALWAYS_INLINE bool skerry_lock_drop(long *lock) {
    struct skerry_lock *fields = (struct skerry_lock *)(void *)lock;
    const uint32_t me = (uint32_t)skerry_my_pe() + 1;
    if (__atomic_load_n(&fields->next, __ATOMIC_RELAXED) != SKERRY_LOCK_HOLDING) return false;
    if (skerry_atomic_claim_32(&fields->last, me, 0, SKERRY_LOCK_HOME) != me) return false;
    __atomic_store_n(&fields->next, 0, __ATOMIC_RELAXED);
    return true;
}
#else
// If a long has 32 bits, `next` is in the lower 16 bits and `last` in the upper 16 bits (lock_narrow.c).
bool skerry_lock_take(long *lock);
bool skerry_lock_drop(long *lock);
#endif

// Joins the queue, waits until this PE holds the lock, and returns true. If this PE already holds the lock or waits for
// it, the wait would never end: returns false at once.
bool skerry_lock_await(long *lock);
// Gives the lock to the next PE in the queue, or frees the lock if no PE waits for it. Returns false if this PE does
// not hold the lock.
bool skerry_lock_hand_over(long *lock);

#endif
