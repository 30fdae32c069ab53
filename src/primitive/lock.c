// SPDX-License-Identifier: BSD-3-Clause
// Implements the contended part of the queue lock, after Mellor-Crummey and Scott: a PE waits for a word in its own
// memory, which the previous holder of the lock writes.
//
// Writers of each word. `queue` contains the ranks of the last PE in the queue and of the holder (lock.h). It is
// changed by atomic operations only. A PE that joins the queue makes itself the last PE, and also the holder if the
// queue was empty. The holder writes the rank of its successor into `queue` before it wakes the successor. `next` of PE
// p is written by p alone while p is not in the queue. While p is in the queue, `next` is changed only by atomic
// additions: p's successor adds its rank, and p's predecessor subtracts WAITING. So neither loses the other's write, in
// whichever order they write.
//
// Ordering. Joining the queue is an acquire. It is also a release, which publishes p's earlier store to `next`. Leaving
// the queue is a release, and the end of the wait is an acquire. So a holder sees everything that the previous holder
// wrote. Nothing weaker guarantees that. Checked by test/model/lock.pml.
#include "lock.h"

#if LONG_MAX > INT32_MAX

#define WAITING 0x80000000u
#define LINK 0x0000ffffu

static struct skerry_lock *fields_of(long *lock) {
    return (struct skerry_lock *)(void *)lock;
}

static uint32_t next_now(const struct skerry_lock *fields) {
    return SKERRY_LOAD_ACQUIRE(&fields->next);
}

// Makes this PE the last PE of the queue, and the holder if no PE holds the lock. Returns the previous value of
// `queue`.
static uint32_t join_queue(struct skerry_lock *fields, uint32_t me) {
    uint32_t seen = skerry_atomic_load_32(&fields->queue, SKERRY_LOCK_HOME);
    for (;;) {
        uint32_t wanted = seen == 0 ? skerry_lock_alone() : (seen & ~LINK) | me;
        uint32_t before = skerry_atomic_claim_32(&fields->queue, seen, wanted, SKERRY_LOCK_HOME);
        if (before == seen) return before;
        seen = before;
    }
}

bool skerry_lock_await(long *lock) {
    struct skerry_lock *fields = fields_of(lock);
    uint32_t me = (uint32_t)skerry_my_pe() + 1;
    uint32_t holder = skerry_atomic_load_32(&fields->queue, SKERRY_LOCK_HOME) >> 16;
    if (holder == me || next_now(fields) != 0) return false;
    __atomic_store_n(&fields->next, WAITING, __ATOMIC_RELAXED);
    uint32_t before = join_queue(fields, me);
    if (before == 0) skerry_atomic_add_32(&fields->next, 0u - WAITING, skerry_my_pe());
    else skerry_atomic_add_32(&fields->next, me, (int)(before & LINK) - 1);
    SKERRY_PAUSE(pause);
    while (next_now(fields) & WAITING) skerry_pause(&pause, skerry_my_pe());
    return true;
}

bool skerry_lock_hand_over(long *lock) {
    struct skerry_lock *fields = fields_of(lock);
    uint32_t me = (uint32_t)skerry_my_pe() + 1;
    if (skerry_lock_drop(lock)) return true;
    if (skerry_atomic_load_32(&fields->queue, SKERRY_LOCK_HOME) >> 16 != me) return false;
    // Another PE is in the queue after this PE, but possibly has not added its rank to `next` yet. This PE waits for
    // the rank.
    SKERRY_PAUSE(pause);
    uint32_t successor;
    while ((successor = next_now(fields) & LINK) == 0) skerry_pause(&pause, skerry_my_pe());
    __atomic_store_n(&fields->next, 0, __ATOMIC_RELAXED);
    skerry_atomic_add_32(&fields->queue, (successor - me) << 16, SKERRY_LOCK_HOME);
    if (!skerry_is_near(SKERRY_LOCK_HOME)) skerry_complete_puts(); // the successor must find its rank in `queue`
    skerry_atomic_add_32(&fields->next, 0u - WAITING, (int)successor - 1);
    return true;
}

#endif
