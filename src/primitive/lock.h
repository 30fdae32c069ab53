// SPDX-License-Identifier: BSD-3-Clause
// A distributed queue lock, first come, first served: a symmetric long in every PE, all zero while the lock is free.
// Its fields, each rank counted from 1 so that 0 is nobody:
//     next    (used on every PE)     rank of the PE behind this one, plus WAITING while this PE waits
//     queue   (used on the home PE)  rank of the last in the queue, and 65536 times the rank of the holder
// Without contention taking and giving back are one compare-swap each.
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

// Queue word of a lock whose holder is this PE and whose queue is empty.
SKERRY_ALWAYS_INLINE uint32_t skerry_lock_alone(void) {
    return ((uint32_t)skerry_my_pe() + 1) * 0x10001u;
}

// Takes the lock if it is free.
SKERRY_ALWAYS_INLINE bool skerry_lock_take(long *lock) {
    uint32_t *queue = &((struct skerry_lock *)(void *)lock)->queue;
    return skerry_atomic_claim_32(queue, 0, skerry_lock_alone(), SKERRY_LOCK_HOME) == 0;
}

// Gives the lock back if this PE holds it and nobody waits.
SKERRY_ALWAYS_INLINE bool skerry_lock_drop(long *lock) {
    uint32_t *queue = &((struct skerry_lock *)(void *)lock)->queue;
    return skerry_atomic_claim_32(queue, skerry_lock_alone(), 0, SKERRY_LOCK_HOME) == skerry_lock_alone();
}
#else
// A lock is a long, and here that is one word of 32 bits: both fields in it, the queue's upper 16 bits telling the last only,
// and the holder knowing itself by a bit of `next` (lock_narrow.c).
bool skerry_lock_take(long *lock);
bool skerry_lock_drop(long *lock);
#endif

// Waits for its turn. False: this PE holds or awaits the lock already, and would wait for ever.
bool skerry_lock_await(long *lock);
// Hands the lock to the next in the queue. False: this PE does not hold it.
bool skerry_lock_hand_over(long *lock);

#endif
