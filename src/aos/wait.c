// SPDX-License-Identifier: BSD-3-Clause
// Defines the waits and locks that the routines of aos.h use. Each step of a wait runs the requests of other PEs to
// this PE. If there are no requests, the step pauses: it spins or sleeps.
#include "internal.h"

// If handlers run on a processor of their own, they interrupt no thread, so a thread with a lock need not mask them.
#if SKERRY_FAR_WATCHES
#define MASK() 0u
#define UNMASK(mask) ((void)(mask))
#else
#define MASK() skerry_mask_interrupts()
#define UNMASK(mask) skerry_unmask_interrupts(mask)
#endif

#define STEPS_AWAKE 16 // steps after which a wait with AOS_WAIT_SPIN restarts its pause, so that it never sleeps

struct skerry_aos_waiter skerry_aos_begin_wait(uint32_t policy) {
    struct skerry_aos_waiter waiter = {SKERRY_PAUSE_INIT, 0, policy};
    if (policy == AOS_WAIT_SLEEP) waiter.pause = (struct skerry_pause)SKERRY_PAUSE_INIT_ASLEEP;
    return waiter;
}

void skerry_aos_end_wait(struct skerry_aos_waiter *waiter) {
    skerry_pause_end(&waiter->pause);
}

void skerry_aos_pause(struct skerry_aos_waiter *waiter, int owner) {
    bool has_served = skerry_aos_progress() > 0;
    if (has_served || (waiter->policy == AOS_WAIT_SPIN && ++waiter->steps % STEPS_AWAKE == 0))
        skerry_pause_again(&waiter->pause);
    if (has_served) return;
#if SKERRY_PRIVATE_MEMORY
    if (skerry_in_copy_thread()) {
        skerry_copy_thread_pause(waiter->steps++);
        return;
    }
#endif
    skerry_pause(&waiter->pause, SKERRY_AOS_IS_FAR(owner) ? skerry_my_pe() : owner);
}

#if SKERRY_FAR_WATCHES

// The lock is in this PE's memory, which has no caches, so an atomic operation costs as much as a load.
bool skerry_aos_try_lock(uint32_t *lock, int pe) {
    return skerry_atomic_swap_32(lock, 1, pe) == 0;
}

#else

bool skerry_aos_try_lock(uint32_t *lock, int pe) {
    if (skerry_atomic_load_32(lock, pe) != 0) return false; // a load leaves the cache line with the holder
    uint32_t mask = MASK();
    if (skerry_atomic_claim_32(lock, 0, 1 + mask, pe) == 0) return true;
    UNMASK(mask);
    return false;
}

#endif

void skerry_aos_lock(uint32_t *lock, int pe) {
#if SKERRY_PRIVATE_MEMORY
    if (skerry_aos_try_lock(lock, pe)) return;
    if (skerry_in_copy_thread()) {
        skerry_aos_lock_at_once(lock, pe);
        return;
    }
#endif
    SKERRY_WAIT_UNTIL(skerry_aos_try_lock(lock, pe), pe);
}

#if SKERRY_FAR_MESSAGES

#define POLLS_OF_A_LOCK 100 // polls of the lock before the waiting thread yields the processor

void skerry_aos_lock_at_once(uint32_t *lock, int pe) {
    for (int polls = 0; !skerry_aos_try_lock(lock, pe); polls++) {
        if (polls < POLLS_OF_A_LOCK) skerry_relax();
        else skerry_poll_again(); // the holder possibly waits for this processor
    }
}

#endif

void skerry_aos_unlock(uint32_t *lock, int pe) {
    uint32_t mask = SKERRY_LOAD_ACQUIRE(lock) - 1; // an atomic load, because other PEs try to take the lock now
    // A plain store is enough, because no other PE changes the word while the lock is taken: a compare-swap by
    // skerry_aos_try_lock then fails. An atomic would be slow on a machine that implements atomics by a lock of their
    // own. There the holder would compete for that lock with all waiters.
    skerry_store_release_32(lock, 0, pe);
    UNMASK(mask);
}
