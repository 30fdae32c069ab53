// SPDX-License-Identifier: BSD-3-Clause
// The contended half of the queue lock (after Mellor-Crummey and Scott): a PE waits on its own memory, and the holder before
// it writes there.
//
// Who writes what. `queue` changes by atomic operations only: who comes becomes the last, who finds it empty also the holder;
// the holder names its successor before it releases it. `next` of PE p is p's own while p is not in the queue; from then
// on it is only added to: p's successor adds its rank, p's predecessor takes WAITING away. So neither loses the other's
// write, in whichever order they come. Orders: coming is an acquire and a release (of `next`), leaving a release, being
// released an acquire, so that what one holder wrote the next one sees; nothing weaker carries that. Checked by
// test/model/lock.pml.
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

// Makes this PE the last of the queue; the holder too when there is none. Returns the queue word before.
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
    // Somebody stands behind us; its link may still be on the way.
    SKERRY_PAUSE(pause);
    uint32_t successor;
    while ((successor = next_now(fields) & LINK) == 0) skerry_pause(&pause, skerry_my_pe());
    __atomic_store_n(&fields->next, 0, __ATOMIC_RELAXED);
    skerry_atomic_add_32(&fields->queue, (successor - me) << 16, SKERRY_LOCK_HOME);
    skerry_atomic_add_32(&fields->next, 0u - WAITING, (int)successor - 1);
    return true;
}

#endif
