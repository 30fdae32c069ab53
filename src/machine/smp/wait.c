// SPDX-License-Identifier: BSD-3-Clause
// Sleeping at eventcounts. A worker that has polled in vain announces its sleep in one step of its wait (it is *armed*),
// and sleeps in the next step; between them the caller looks at the awaited word once more. It sleeps only if no other
// worker of its core is there. The core sleeps (WFI) until another core stores to its interrupt register. That register
// keeps the interrupt until the core clears it, and the core looks at `count` after it has cleared it. So no notification
// is lost, and a notification that is meant for another worker of the core does no harm. If all cores sleep, the
// simulator reports a deadlock.
#include "internal.h"

struct skerry_eventcount skerry_eventcounts[SKERRY_EVENTCOUNTS];

void skerry_pause_slow(struct skerry_pause *pause, int eventcount) {
    struct skerry_eventcount *at = &skerry_eventcounts[eventcount];
    struct skerry_core *core = skerry_self->core;
    if (!pause->is_armed) {
        pause->count = __atomic_load_n(&at->count, __ATOMIC_ACQUIRE);
        __atomic_fetch_or(&at->sleepers, UINT32_C(1) << (core - skerry_cores), __ATOMIC_SEQ_CST);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        pause->is_armed = true;
        return;
    }
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

// Clears the bits before it adds to `count`. A sleeper loads `count` before it sets its bit, so a sleeper whose bit is
// cleared here has an older count, and wakes. A bit that is set after it was cleared here stays for the next notification.
// A worker whose wait has ended leaves its bit, which costs a notification that nobody needs.
int skerry_notify(int eventcount) {
    struct skerry_eventcount *at = &skerry_eventcounts[eventcount];
    uint32_t sleepers = __atomic_exchange_n(&at->sleepers, 0, __ATOMIC_SEQ_CST);
    if (sleepers) __atomic_fetch_add(&at->count, 1, __ATOMIC_SEQ_CST);
    int notified = 0;
    for (; sleepers; sleepers &= sleepers - 1, notified++) *skerry_cores[__builtin_ctz(sleepers)].interrupt = 1;
    return notified;
}
