// SPDX-License-Identifier: BSD-3-Clause
// A distributed queue lock that PEs get in the order in which they ask: a symmetric long in every PE, all zero while
// the lock is free. Its fields hold ranks counted from 1, so that 0 means no PE:
//     next    (used on every PE)     rank of the next PE in the queue after this PE, plus WAITING while this PE waits
//     queue   (used on the home PE)  rank of the last PE in the queue, plus 65536 times the rank of the holder
// Without contention acquiring and releasing the lock take one compare-swap each.
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

// Returns the queue word of a lock that this PE holds and for which nobody waits.
SKERRY_ALWAYS_INLINE uint32_t skerry_lock_alone(void) {
    return ((uint32_t)skerry_my_pe() + 1) * 0x10001u;
}

// Acquires the lock if it is free. Returns false, and changes nothing, if it is not.
SKERRY_ALWAYS_INLINE bool skerry_lock_take(long *lock) {
    uint32_t *queue = &((struct skerry_lock *)(void *)lock)->queue;
    return skerry_atomic_claim_32(queue, 0, skerry_lock_alone(), SKERRY_LOCK_HOME) == 0;
}

// Releases the lock if this PE holds it and nobody waits. Returns false, and changes nothing, otherwise.
SKERRY_ALWAYS_INLINE bool skerry_lock_drop(long *lock) {
    uint32_t *queue = &((struct skerry_lock *)(void *)lock)->queue;
    return skerry_atomic_claim_32(queue, skerry_lock_alone(), 0, SKERRY_LOCK_HOME) == skerry_lock_alone();
}
#else
// If a long has 32 bits it holds both fields: its upper 16 bits hold only the rank of the last PE in the queue, and a
// bit of `next` tells the holder that it holds the lock (lock_narrow.c).
bool skerry_lock_take(long *lock);
bool skerry_lock_drop(long *lock);
#endif

// Joins the queue and waits until this PE holds the lock. Returns false if this PE holds the lock or waits for it
// already, because the wait would never end.
bool skerry_lock_await(long *lock);
// Gives the lock to the next PE in the queue, or frees it if there is none. Returns false if this PE does not hold the
// lock.
bool skerry_lock_hand_over(long *lock);

#endif
