// SPDX-License-Identifier: BSD-3-Clause
// Implements the contended part of the queue lock, after Mellor-Crummey and Scott: a PE waits for a word in its own
// memory, which the previous holder of the lock writes.
//
// Writers of each word. `last` is changed by atomic operations only. A PE joins the queue by one atomic swap, which
// never has to be repeated. So PEs of other nodes, for which an operation on `last` takes longer, are not at a
// disadvantage against PEs of the home PE's node. `next` of PE p is written by p alone while p is not in the queue.
// While p is in the queue, `next` is changed only by atomic additions: p's successor adds its rank, and p's predecessor
// replaces WAITING by HOLDING. So both changes take effect, in whichever order they come. When p leaves the queue, its
// successor has already added its rank, or p has no successor. So no other PE writes p's `next` after that.
//
// skerry_lock_take stores HOLDING to `next` before it tries to join the queue, because the PE's successor can write to
// `next` as soon as the PE is in the queue. If the PE could not join the queue, skerry_lock_take stores 0 again.
//
// Ordering. Joining the queue is an acquire. It is also a release, which publishes p's earlier store to `next`. Leaving
// the queue is a release, and the end of the wait is an acquire. So a holder sees everything that the previous holder
// wrote. Nothing weaker guarantees that. Checked by test/model/lock.pml.
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
    __atomic_store_n(&fields->next, WAITING, __ATOMIC_RELAXED);
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
    // Another PE is in the queue after this PE, but possibly has not added its rank to `next` yet. This PE waits for
    // the rank.
    SKERRY_PAUSE(pause);
    uint32_t successor;
    while ((successor = next_now(fields) & LINK) == 0) skerry_pause(&pause, skerry_my_pe());
    __atomic_store_n(&fields->next, 0, __ATOMIC_RELAXED);
    // Gives the lock to the successor by an addition that returns the old value, although this value is not needed. The
    // reason: if the successor is on another node, an addition that returns a value is sent at once. An addition that
    // returns no value could stay in this PE until this PE's next wait.
    (void)skerry_atomic_fetch_add_32(&fields->next, HOLDING - WAITING, (int)successor - 1);
    return true;
}

#endif
