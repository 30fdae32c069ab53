// SPDX-License-Identifier: BSD-3-Clause
// A barrier for machines on which a thread polls fast only in its own memory (SKERRY_NEAR_MEMORY): dissemination (Hensgen,
// Finkel and Manber 1988). In round i thread t stores to a word of thread t + 2^i and waits for the word that thread t - 2^i
// stores to it. After log2(threads) rounds each thread knows that all have arrived. barrier.c includes this file.
//
// The value of a word is twice the barrier's number, plus 1 if its sender knows of tasks in this region. A receiver passes
// this on, so after the last round all threads agree whether tasks were made before the barrier. If so, they meet at the
// barrier with tasks. A sender can be one barrier ahead of a receiver, and its word must not hide that of the barrier before:
// so two barriers that follow each other use different words. It cannot be two ahead, because it passes a barrier only
// when its receiver has entered it.
//
// A thread's stores have arrived everywhere before it stores its first word. So a thread that has got word of its arrival,
// directly or through others, sees them; what the others pass on needs no further fence.
#ifndef SKERRY_OMP_NEAR_BARRIER_H
#define SKERRY_OMP_NEAR_BARRIER_H

#if SKERRY_NEAR_MEMORY

SKERRY_ALWAYS_INLINE bool has_signal(const skerry_word *word, skerry_word wanted) {
    return omp_difference(__atomic_load_n(word, __ATOMIC_RELAXED), wanted) >= 0;
}

// The slow part of a barrier before which tasks were made.
static SKERRY_COLD bool meet_with_tasks(struct omp_thread *self, bool may_cancel) {
    const skerry_word number = ++self->state.member->near.slow_barriers;
    (void)arrive(self->state.team);
    return wait_with_tasks(self, self->state.team, number, may_cancel);
}

// Waits for a signal in a region that has tasks or can be cancelled. Returns false if the region is cancelled.
static SKERRY_COLD bool await_signal(struct omp_thread *self, const skerry_word *word, skerry_word wanted,
                                     bool may_cancel) {
    OMP_HELP_UNTIL(self, self->state.team, has_signal(word, wanted) || is_cancelled(self->state.team, may_cancel));
    return !is_cancelled(self->state.team, may_cancel);
}

SKERRY_ALWAYS_INLINE bool pass_near(struct omp_thread *self, uint32_t number, bool may_cancel) {
    const struct omp_near *near = &self->state.member->near;
    const skerry_word arrived = (skerry_word)number * 2;
    const uint32_t parity = number & 1;
    skerry_word value = arrived | near->tasks_made;
    skerry_complete_stores();
    for (const struct omp_near_round *round = near->rounds, *end = near->end; round != end; round++) {
        __atomic_store_n(&round->partner->signals[parity], value, __ATOMIC_RELAXED);
        const skerry_word *own = &round->signals[parity];
        skerry_word signal = __atomic_load_n(own, __ATOMIC_ACQUIRE);
        while (omp_difference(signal, arrived) < 0) {
            if (OMP_UNLIKELY(may_cancel || __atomic_load_n(&near->tasks_made, __ATOMIC_RELAXED)) &&
                !await_signal(self, own, arrived, may_cancel))
                return false;
            signal = __atomic_load_n(own, __ATOMIC_ACQUIRE);
        }
        value |= signal & 1;
    }
    return OMP_LIKELY(value == arrived) || meet_with_tasks(self, may_cancel);
}

#endif

#endif
