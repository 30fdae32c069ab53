// SPDX-License-Identifier: BSD-3-Clause
// Implements the barrier for machines on which a thread polls fast only in its own memory (SKERRY_NEAR_MEMORY). It is a
// dissemination barrier (Hensgen, Finkel and Manber 1988). In round i thread t stores to a word of thread t + 2^i, and
// waits until thread t - 2^i has stored to a word of thread t (numbers modulo the team's size). After log2(threads)
// rounds each thread knows that all threads have arrived. barrier.c includes this file.
//
// The value of a word is twice the barrier's number, plus 1 if its sender knows that tasks were made in this region. A
// receiver includes this 1 in the values that it sends in later rounds. So after the last round all threads agree
// whether tasks were made before the barrier. If tasks were made, the threads also execute the barrier that runs tasks
// (meet_with_tasks).
//
// A sender can be one barrier ahead of its receiver. Its word for the new barrier must not replace the word for the old
// barrier before the receiver has read it. So two consecutive barriers use different words. A sender cannot be two
// barriers ahead, because it leaves a barrier only when its receiver has entered that barrier.
//
// Before a thread stores its first word, it waits until its earlier stores have arrived in all memories
// (skerry_complete_stores). So every thread that receives a signal from this thread, directly or through other threads,
// sees these stores. The threads that pass the signal on need no fence.
#ifndef SKERRY_OMP_NEAR_BARRIER_H
#define SKERRY_OMP_NEAR_BARRIER_H

#if SKERRY_NEAR_MEMORY

SKERRY_ALWAYS_INLINE bool has_signal(const skerry_word *word, skerry_word wanted) {
    return omp_difference(__atomic_load_n(word, __ATOMIC_RELAXED), wanted) >= 0;
}

// Executes the slow part of a barrier, which is needed if tasks were made before the barrier: runs tasks until none is
// left.
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
