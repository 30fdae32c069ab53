// SPDX-License-Identifier: BSD-3-Clause
// Declares a distributed queue lock. PEs get the lock in the order in which they ask for it. The lock is a symmetric
// long, which is zero in every PE while the lock is free. The home PE (SKERRY_LOCK_HOME) is the PE whose long contains
// the state of the queue. The fields of the long hold ranks counted from 1, so that 0 means no PE:
//     next    (used on every PE)     rank of the next PE in the queue after this PE, plus WAITING while this PE waits
//     queue   (used on the home PE)  rank of the last PE in the queue, plus 65536 times the rank of the holder
// Without contention, one compare-swap acquires the lock, and one compare-swap releases it.
#ifndef SKERRY_PRIMITIVE_LOCK_H
#define SKERRY_PRIMITIVE_LOCK_H

#include <limits.h>

#include "../machine/machine.h"

#define SKERRY_LOCK_HOME 0

#if LONG_MAX > INT32_MAX
struct skerry_lock {
    uint32_t next;
    uint32_t queue;
};

// Returns the value that `queue` on the home PE has while this PE holds the lock and no PE waits for it.
SKERRY_ALWAYS_INLINE uint32_t skerry_lock_alone(void) {
    return ((uint32_t)skerry_my_pe() + 1) * 0x10001u;
}

// Acquires the lock if it is free. Otherwise returns false and changes nothing.
SKERRY_ALWAYS_INLINE bool skerry_lock_take(long *lock) {
    uint32_t *queue = &((struct skerry_lock *)(void *)lock)->queue;
    return skerry_atomic_claim_32(queue, 0, skerry_lock_alone(), SKERRY_LOCK_HOME) == 0;
}

// Releases the lock if this PE holds it and no PE waits for it. Otherwise returns false and changes nothing.
SKERRY_ALWAYS_INLINE bool skerry_lock_drop(long *lock) {
    uint32_t *queue = &((struct skerry_lock *)(void *)lock)->queue;
    return skerry_atomic_claim_32(queue, skerry_lock_alone(), 0, SKERRY_LOCK_HOME) == skerry_lock_alone();
}
#else
// If a long has 32 bits, `next` is in the lower 16 bits, and `queue` in the upper 16 bits. So `queue` has only the rank
// of the last PE in the queue, and a bit of `next` tells a PE that it holds the lock (lock_narrow.c).
bool skerry_lock_take(long *lock);
bool skerry_lock_drop(long *lock);
#endif

// Joins the queue, waits until this PE holds the lock, and returns true. Returns false at once if this PE already holds
// the lock or waits for it, because the wait would never end.
bool skerry_lock_await(long *lock);
// Gives the lock to the next PE in the queue, or frees the lock if no PE waits for it. Returns false if this PE does
// not hold the lock.
bool skerry_lock_hand_over(long *lock);

#endif
