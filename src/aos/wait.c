// SPDX-License-Identifier: BSD-3-Clause
// How these routines wait: they serve what others ask of this PE, and pause when there is nothing.
#include "internal.h"

#define STEPS_AWAKE 16 // of a wait that shall never sleep: the pause begins anew before it gets there

// A PE that sleeps on another's bell does not hear its own. One that was ever asked for something only yields there.
#define STEPS_NEAR_SLEEP 512

struct skerry_aos_waiter skerry_aos_begin_wait(uint32_t policy) {
    struct skerry_aos_waiter waiter = {SKERRY_PAUSE_INIT, 0, policy};
    if (policy == AOS_WAIT_SLEEP) waiter.pause = (struct skerry_pause)SKERRY_PAUSE_PATIENT;
    return waiter;
}

static bool must_stay_awake(const struct skerry_aos_waiter *waiter, int owner) {
    if (waiter->policy == AOS_WAIT_SPIN) return waiter->steps % STEPS_AWAKE == 0;
    if (owner == skerry_my_pe() || waiter->steps % STEPS_NEAR_SLEEP != 0) return false;
    return SKERRY_LOAD_ACQUIRE(&skerry_aos_requests(skerry_my_pe())->tail) != 0;
}

void skerry_aos_pause(struct skerry_aos_waiter *waiter, int owner) {
    if (skerry_aos_serve() > 0) {
        *waiter = skerry_aos_begin_wait(waiter->policy);
        return;
    }
    waiter->steps++;
    if (must_stay_awake(waiter, owner)) waiter->pause = (struct skerry_pause)SKERRY_PAUSE_INIT;
    skerry_pause(&waiter->pause, owner);
}

void skerry_aos_lock(uint32_t *lock, int pe) {
    SKERRY_WAIT_UNTIL(skerry_atomic_claim_32(lock, 0, 1, pe) == 0, pe);
}

void skerry_aos_unlock(uint32_t *lock, int pe) {
    skerry_atomic_store_32(lock, 0, pe);
}
