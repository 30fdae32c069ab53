// SPDX-License-Identifier: BSD-3-Clause
// Declares a counter in one PE's symmetric memory. Any PE adds to the counter, and the PE that owns the memory waits
// until the counter has reached a number. The counter is a software form of the hardware counter of Tendulkar et al.
// 2011. Checked by test/model/counter.pml.
// - The count only grows: in each wait the owner waits for a larger number. A reset could lose an addition that comes
//   after the owner's last load of the count.
// - An addition is a release, and the owner's load is an acquire. After the wait the owner sees everything that a PE
//   did before its addition.
// - The count can exceed the number that the owner waits for, but by less than half of the range of a word.
#ifndef SKERRY_PRIMITIVE_COUNTER_H
#define SKERRY_PRIMITIVE_COUNTER_H

#include "wait.h"

struct skerry_counter {
    _Alignas(SKERRY_LINE) skerry_word count; // changed by skerry_atomic_count and skerry_atomic_count_and_wake only
};

// Adds `value` to a counter of PE `pe` and wakes that PE. The addition is a release.
SKERRY_ALWAYS_INLINE void skerry_counter_add(struct skerry_counter *counter, skerry_word value, int pe) {
    (void)skerry_atomic_count_and_wake(&counter->count, value, pe);
}

// Adds `value` to a counter of PE `pe`, and wakes that PE only if the count is then equal to `wanted`. `wanted` is the
// number that the owner waits for; every PE that adds must know it. The counters of Tendulkar et al. also notify their
// owner only when they reach one number, zero.
SKERRY_ALWAYS_INLINE void skerry_counter_add_towards(struct skerry_counter *counter, skerry_word value,
                                                     skerry_word wanted, int pe) {
    if (skerry_atomic_count(&counter->count, value, pe) + value != wanted) return;
    skerry_compiler_fence();
    skerry_wake(pe);
}

// Called by the PE that owns the counter. Returns true if the counter has reached `wanted`. The load is an acquire.
SKERRY_ALWAYS_INLINE bool skerry_counter_has_reached(const struct skerry_counter *own, skerry_word wanted) {
    return skerry_reached(&own->count, wanted);
}

// Called by the PE that owns the counter. Waits until the counter has reached `wanted`. The load is an acquire.
SKERRY_ALWAYS_INLINE void skerry_counter_wait(const struct skerry_counter *own, skerry_word wanted) {
    SKERRY_WAIT_UNTIL(skerry_reached(&own->count, wanted), skerry_my_pe());
}

#endif
