// SPDX-License-Identifier: BSD-3-Clause
// Lets a worker sleep at an eventcount (machine.h). A worker calls skerry_pause after each poll that fails. After many
// polls, one call announces the sleep: it sets the bit of the worker's core in the eventcount (the wait is then
// *armed*). The caller polls its word once more, and the next call sleeps.
#include "internal.h"

struct skerry_eventcount skerry_eventcounts[SKERRY_EVENTCOUNTS];
uint32_t skerry_sleepers;

static void subtract_sleepers(uint32_t bits) {
    if (bits) __atomic_fetch_sub(&skerry_sleepers, (uint32_t)__builtin_popcount(bits), __ATOMIC_SEQ_CST);
}

void skerry_pause_slow(struct skerry_pause *pause, int eventcount) {
    struct skerry_eventcount *at = &skerry_eventcounts[eventcount];
    struct skerry_core *core = skerry_self->core;
    if (!pause->is_armed) {
        pause->count = __atomic_load_n(&at->count, __ATOMIC_ACQUIRE);
        pause->eventcount = eventcount;
        const uint32_t bit = UINT32_C(1) << (core - skerry_cores);
        __atomic_fetch_add(&skerry_sleepers, 1, __ATOMIC_SEQ_CST);
        subtract_sleepers(__atomic_fetch_or(&at->sleepers, bit, __ATOMIC_SEQ_CST) & bit); // it was counted before
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        pause->is_armed = true;
        return;
    }
    // Sleeps until `count` has changed, or until another worker waits for this core. The instruction WFI sleeps until
    // another core stores to this core's interrupt register.
    // * The interrupt stays pending until this core clears it. This core checks `count` after it has cleared the
    //   interrupt. So no notification is lost.
    // * A notification for another worker of this core does no harm, because this core checks `count` and sleeps again.
    // * If all cores sleep, the simulator reports a deadlock.
    for (;;) {
        *core->interrupt = 0;
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (__atomic_load_n(&at->count, __ATOMIC_ACQUIRE) != pause->count ||
            __atomic_load_n(&core->waiting, __ATOMIC_ACQUIRE) != 0)
            break;
        __asm__ volatile("wfi" : : : "memory");
    }
    *pause = (struct skerry_pause)SKERRY_PAUSE_INIT;
}

// Clears the core's bit in an eventcount, because a wait that was armed ends without a sleep. Another worker of the core can
// have armed its wait at the same eventcount, and given the core to this one. It then waits for the core, and the bit must
// stay.
void skerry_disarm(const struct skerry_pause *pause) {
    struct skerry_core *core = skerry_self->core;
    if (__atomic_load_n(&core->waiting, __ATOMIC_ACQUIRE) != 0) return;
    const uint32_t bit = UINT32_C(1) << (core - skerry_cores);
    subtract_sleepers(__atomic_fetch_and(&skerry_eventcounts[pause->eventcount].sleepers, ~bit, __ATOMIC_SEQ_CST) &
                      bit);
}

// Notifies all cores that have a bit in an eventcount.
// * A sleeper loads `count` before it sets its bit. This function clears the bits before it adds 1 to `count`. So a
//   sleeper whose bit is cleared here has loaded an older count, and wakes up.
// * A bit that is set after the exchange stays set for the next notification.
// * A worker whose wait ends without a sleep possibly leaves its bit set (skerry_disarm). The next notification then
//   interrupts its core for nothing.
int skerry_notify(int eventcount) {
    struct skerry_eventcount *at = &skerry_eventcounts[eventcount];
    uint32_t sleepers = __atomic_exchange_n(&at->sleepers, 0, __ATOMIC_SEQ_CST);
    subtract_sleepers(sleepers);
    if (sleepers) __atomic_fetch_add(&at->count, 1, __ATOMIC_SEQ_CST);
    int notified = 0;
    for (; sleepers; sleepers &= sleepers - 1, notified++) *skerry_cores[__builtin_ctz(sleepers)].interrupt = 1;
    return notified;
}
