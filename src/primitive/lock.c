// SPDX-License-Identifier: BSD-3-Clause
// Implements the contended part of the queue lock, after Mellor-Crummey and Scott. A PE waits for a word in its own
// memory, which the previous holder of the lock writes. Checked by test/model/lock.pml.
//
// Who changes each word:
// - `last`: all PEs, by atomic operations only.
// - `next` of PE p while p is not in the queue: p alone.
// - `next` of PE p while p is in the queue: p, the PE after p (its successor) and the PE before p (its predecessor), by
//   atomic additions only. Therefore both changes of the other PEs take effect, in any order.
//
// Which order is needed:
// - To join the queue is an acquire, and also a release, which publishes the PE's earlier store to its `next`.
// - To leave the queue is a release, and the end of the wait is an acquire. So a holder sees everything that the
//   previous holder wrote. Nothing weaker guarantees that.
#include "lock.h"

#if LONG_MAX > INT32_MAX

#define HOLDING SKERRY_LOCK_HOLDING
#define WAITING SKERRY_LOCK_WAITING
#define LINK (HOLDING - 1)

static struct skerry_lock *fields_of(long *lock) {
    return (struct skerry_lock *)(void *)lock;
}

static uint32_t next_now(const struct skerry_lock *fields) {
    return SKERRY_LOAD_ACQUIRE(&fields->next);
}

bool skerry_lock_await(long *lock) {
    struct skerry_lock *fields = fields_of(lock);
    const uint32_t me = (uint32_t)skerry_my_pe() + 1;
    if (next_now(fields) != 0) return false;
    // Stored before this PE joins the queue. As soon as this PE is in the queue, the next PE can add to `next`.
    __atomic_store_n(&fields->next, WAITING, __ATOMIC_RELAXED);
    // A swap joins the queue at the first attempt. A compare-swap would have to be repeated if another PE changed
    // `last` meanwhile. PEs of other nodes, whose operations take longer, would have to repeat it more often.
    const uint32_t before = skerry_atomic_swap_32(&fields->last, me, SKERRY_LOCK_HOME);
    if (before == 0) skerry_atomic_add_32(&fields->next, HOLDING - WAITING, skerry_my_pe());
    else skerry_atomic_add_32(&fields->next, me, (int)before - 1);
    SKERRY_PAUSE(pause);
    while (next_now(fields) & WAITING) skerry_pause(&pause, skerry_my_pe());
    return true;
}

bool skerry_lock_hand_over(long *lock) {
    struct skerry_lock *fields = fields_of(lock);
    if (!(next_now(fields) & HOLDING)) return false;
    // Another PE joined the queue after this PE. This loop waits until that PE has added its rank to `next`.
    SKERRY_PAUSE(pause);
    uint32_t successor;
    while ((successor = next_now(fields) & LINK) == 0) skerry_pause(&pause, skerry_my_pe());
    // A plain store is safe: the successor has added its rank, so no other PE changes `next` now.
    __atomic_store_n(&fields->next, 0, __ATOMIC_RELAXED);
    // Gives the lock to the successor: replaces WAITING by HOLDING in the successor's `next`. The value that the
    // addition returns is not needed. But for a successor on another node, only an addition that returns a value is
    // sent at once. Other additions could stay in this PE until its next wait.
    (void)skerry_atomic_fetch_add_32(&fields->next, HOLDING - WAITING, (int)successor - 1);
    return true;
}

#endif
