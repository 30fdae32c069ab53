// SPDX-License-Identifier: BSD-3-Clause
// A counter in one PE's symmetric memory: any PE adds, one waits until a number that only grows has been reached (Tendulkar et al.'s (2011)
// hardware counter in software). The waiter keeps the number it waits for, so nothing is ever set back and no addition can
// fall between a reading and a resetting. An addition releases, reaching acquires: what the adders did before is visible.
// Adders may be ahead of the number waited for by less than half of what a word counts. Checked by test/model/counter.pml.
#ifndef SKERRY_PRIMITIVE_COUNTER_H
#define SKERRY_PRIMITIVE_COUNTER_H

#include "wait.h"

struct skerry_counter {
    _Alignas(SKERRY_LINE) skerry_word count; // changed by counting only
};

SKERRY_ALWAYS_INLINE void skerry_counter_add(struct skerry_counter *counter, skerry_word value, int pe) {
    (void)skerry_atomic_count_and_wake(&counter->count, value, pe);
}

// The same where all adders know the number that is waited for: only the addition that makes it wakes the waiter, as their counters
// notify when they become zero.
SKERRY_ALWAYS_INLINE void skerry_counter_add_towards(struct skerry_counter *counter, skerry_word value,
                                                     skerry_word wanted, int pe) {
    if (skerry_atomic_count(&counter->count, value, pe) + value != wanted) return;
    skerry_compiler_fence();
    skerry_wake(pe);
}

SKERRY_ALWAYS_INLINE bool skerry_counter_has_reached(const struct skerry_counter *own, skerry_word wanted) {
    return skerry_reached(&own->count, wanted);
}

SKERRY_ALWAYS_INLINE void skerry_counter_wait(const struct skerry_counter *own, skerry_word wanted) {
    SKERRY_WAIT_UNTIL(skerry_reached(&own->count, wanted), skerry_my_pe());
}

#endif
