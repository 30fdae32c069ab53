// SPDX-License-Identifier: BSD-3-Clause
// Implements the barrier for machines on which a thread polls fast only in its own memory (SKERRY_NEAR_MEMORY). It is a
// dissemination barrier (Hensgen, Finkel and Manber 1988). In round i thread t stores to a word of thread t + 2^i. Then
// it waits until thread t - 2^i has stored to a word of thread t. (The numbers are modulo the team's size.) After
// log2(threads) rounds each thread knows that all threads have arrived. barrier.c includes this file.
//
// If the team has counters in hardware (SKERRY_EVENTS), a barrier uses these counters (counter_exchange.h) in place of
// the words: a thread then sends to three threads in each round, and needs log4(threads) rounds. The exception is a barrier
// that a thread leaves when its region is cancelled. Such a barrier always uses the words.
#ifndef SKERRY_OMP_NEAR_BARRIER_H
#define SKERRY_OMP_NEAR_BARRIER_H

#if SKERRY_NEAR_MEMORY

SKERRY_ALWAYS_INLINE bool has_signal(const skerry_word *word, skerry_word wanted) {
    return omp_difference(__atomic_load_n(word, __ATOMIC_RELAXED), wanted) >= 0;
}

// Releases the threads from a barrier with tasks, and returns true, if all threads have arrived. Called by the master when
// no task was left. Checks again, because threads that have not arrived before make tasks.
static bool release_if_complete(const struct omp_thread *self, struct omp_team *team, skerry_word number) {
    if (!have_all_arrived(team, number) || !skerry_omp_is_quiet(team)) return false;
    skerry_complete_stores();
    for (uint32_t i = 0; i < omp_threads(self); i++)
        __atomic_store_n(&omp_member(team, i)->near.slow_released, number, __ATOMIC_RELAXED);
    return true;
}

// Executes the slow part of a barrier: runs tasks until none is left. Called if tasks were made before the barrier.
//
// Only the master checks whether all threads have arrived and no task is left. The words for this check are near it. It
// then stores the barrier's number into each member. So the other threads poll no word of another core, except a
// victim's deque if tasks are in deques. The master cannot leave the barrier before all tasks have ended, so it does not
// matter that nobody checks while the master runs a task.
static SKERRY_COLD bool meet_with_tasks(struct omp_thread *self, bool may_cancel) {
    struct omp_team *team = self->state.team;
    struct omp_near *near = &self->state.member->near;
    const skerry_word number = ++near->slow_barriers;
    omp_close_queue();
    (void)arrive(team);
    SKERRY_PAUSE(pause);
    while (omp_difference(__atomic_load_n(&near->slow_released, __ATOMIC_ACQUIRE), number) < 0) {
        if (is_cancelled(team, may_cancel)) return false;
        // If no task was counted in a member, the check takes less time than the search for a task.
        const bool is_master = self->state.thread_number == 0;
        if (is_master && !__atomic_load_n(&near->has_counted, __ATOMIC_RELAXED) && skerry_omp_is_quiet(team)) {
            if (release_if_complete(self, team, number)) break;
            continue;
        }
        if (skerry_omp_run_some_task(self, false)) continue;
        if (is_master && release_if_complete(self, team, number)) break;
        skerry_pause(&pause, team->eventcount);
    }
    omp_close_for_tasks(self);
    return true;
}

// Waits for a signal of another thread in a region that has tasks or can be cancelled. Returns false if the region is
// cancelled.
static SKERRY_COLD bool await_signal(struct omp_thread *self, const skerry_word *word, skerry_word wanted,
                                     bool may_cancel) {
    OMP_HELP_UNTIL(self, self->state.team, has_signal(word, wanted) || is_cancelled(self->state.team, may_cancel));
    return !is_cancelled(self->state.team, may_cancel);
}

#if SKERRY_EVENTS
// Returns true if the first task of the region was made before barrier `number`, and false if it was made later or if
// there are no tasks. `tasks_made` says this: 2 * n + 1 if the first task was made before barrier n, and 0 if no task
// was made.
SKERRY_ALWAYS_INLINE bool is_before(uint32_t tasks_made, uint32_t number) {
    return tasks_made && (int32_t)(number * 2 + 1 - tasks_made) >= 0;
}

// Executes the rest of a barrier by counters if a task was made in the region and all threads have arrived: runs tasks if
// the first task was made before this barrier, which has this number.
static bool meet_if_tasks_before(struct omp_thread *self, struct omp_near *near, uint32_t number) {
    // A counter does not tell whether tasks were made before the barrier, so each thread reads `tasks_made`. The thread
    // that made the first task stored 2 * n + 1 (is_before) into the memory of all threads before it arrived at the
    // barrier. After the barrier all threads therefore read the same value.
    const uint32_t tasks_made = __atomic_load_n(&near->tasks_made, __ATOMIC_RELAXED);
    if (!is_before(tasks_made, number)) return true;
    // The value 2 * n + 1 in `tasks_made` can be of a barrier n long ago. is_before subtracts this value from that of
    // the present barrier. After 2^30 barriers the difference would overflow. So the value of the present barrier
    // replaces the value of barrier n. All threads do this at the same barrier, so `tasks_made` stays equal in all of
    // them.
    __atomic_store_n(&near->tasks_made, number * 2 + 1, __ATOMIC_RELAXED);
    return meet_with_tasks(self, false);
}

#if SKERRY_EVENT_TARGETS
// Executes the rest of a barrier by counters, from the wait of `round` on, in a region in which a task was made. Waits
// until all threads have arrived. Then runs tasks if the first task was made before this barrier.
static SKERRY_COLD bool pass_counters_with_tasks(struct omp_thread *self, struct skerry_exchange_round *round,
                                                 uint32_t number) {
    struct omp_near *near = &self->state.member->near;
    for (;;) {
        OMP_HELP_UNTIL(self, self->state.team, skerry_exchange_has_come(round, round->wanted));
        if (++round == near->exchange->end) break;
        skerry_exchange_send(round);
        skerry_exchange_begin_wait(round);
    }
    return meet_if_tasks_before(self, near, number);
}
#endif

// Returns true if the calling thread's team has counters for its barriers.
SKERRY_ALWAYS_INLINE bool has_counters(void) {
    return skerry_omp_exchange != NULL;
}

#if SKERRY_EVENT_TARGETS
SKERRY_ALWAYS_INLINE bool has_come(const struct skerry_exchange_round *round, uint32_t wanted,
                                   const struct omp_near *near, uint32_t *tasks_made) {
    const bool has_come = skerry_exchange_has_come(round, wanted);
    *tasks_made = __atomic_load_n(&near->tasks_made, __ATOMIC_RELAXED);
    return has_come;
}

// Executes a barrier by counters. The other threads wait only for this thread's additions, so the thread increases its
// number of barriers after the first of them.
SKERRY_ALWAYS_INLINE bool pass_by_counters(void) {
    struct skerry_exchange *const exchange = skerry_omp_exchange;
    struct skerry_exchange_round *round = exchange->rounds;
    const struct skerry_exchange_round *const end = exchange->end;
    skerry_complete_stores();
    skerry_exchange_send(round);
    skerry_compiler_fence();
    struct omp_thread *self = skerry_omp_self;
    struct omp_member *member = self->state.member;
    const struct omp_near *near = &member->near;
    const uint32_t number = (uint32_t)++member->barriers;
    for (;;) {
        const uint32_t wanted = skerry_exchange_begin_wait(round);
        // Polls the counter several times before the branch on `tasks_made`, because the thread then goes on earlier. In
        // each step the counter is loaded first. If it shows in the last round that all threads have arrived, the later
        // load of `tasks_made` sees every value that was stored before the barrier.
        uint32_t tasks_made;
        do {
            if (OMP_LIKELY(has_come(round, wanted, near, &tasks_made)) ||
                OMP_LIKELY(has_come(round, wanted, near, &tasks_made)) ||
                OMP_LIKELY(has_come(round, wanted, near, &tasks_made)))
                break;
            skerry_compiler_fence(); // keeps the two branches apart
        } while (OMP_LIKELY(!tasks_made));
        if (OMP_UNLIKELY(tasks_made)) return pass_counters_with_tasks(self, round, number);
        if (++round == end) return true;
        skerry_exchange_send(round);
    }
}
#else
// Executes the rest of a barrier by flags (flag_exchange.h) in a region in which a task was made.
static SKERRY_COLD bool pass_flags_with_tasks(const struct skerry_exchange *exchange, uint32_t number) {
    struct omp_thread *self = skerry_omp_self;
    OMP_HELP_UNTIL(self, self->state.team, skerry_exchange_has_come(exchange->own, number));
    return meet_if_tasks_before(self, &self->state.member->near, (uint32_t)omp_barriers(self->state.member));
}

SKERRY_ALWAYS_INLINE bool omp_tasks_made(const struct skerry_exchange *exchange) {
    return __atomic_load_n(&((const struct omp_near *)exchange->context)->tasks_made, __ATOMIC_RELAXED) != 0;
}

// Executes a barrier by flags for a thread that has made the first task of a region (omp_forget_exchange). If it is the last thread to arrive, and no
// task is left, none is made before it releases the others. Then it stores to all threads that the first task was made
// after this barrier. So they leave at once, without meet_with_tasks. Only the last thread decides this, and stores the
// words before the flags: a thread that reads a flag reads the same value as all others. If each thread looked for itself,
// one of them could see tasks that were made behind the barrier, and would wait alone (test/model/near_hand_over.pml).
static SKERRY_COLD bool arrive_with_tasks(struct skerry_exchange *exchange) {
    struct omp_thread *const self = skerry_omp_self;
    skerry_omp_exchange = exchange;
    omp_close_queue();
    skerry_complete_stores();
    if (!skerry_exchange_add(exchange)) return pass_flags_with_tasks(exchange, exchange->number);
    struct omp_team *const team = self->state.team;
    const uint32_t number = (uint32_t)omp_barriers(self->state.member);
    if (omp_tasks_made(exchange) && skerry_omp_is_quiet(team))
        for (uint32_t i = 0; i < omp_threads(self); i++)
            __atomic_store_n(&omp_member(team, i)->near.tasks_made, (number + 1) * 2 + 1, __ATOMIC_RELAXED);
    skerry_exchange_release_all(exchange);
    return meet_if_tasks_before(self, &self->state.member->near, number);
}

// Executes a barrier by flags. The thread that arrives last has nothing to wait for, and all others wait for it. So this
// thread does as little as possible.
SKERRY_ALWAYS_INLINE bool pass_by_counters(void) {
    struct skerry_exchange *const exchange = skerry_omp_exchange;
    skerry_complete_stores();
    if (OMP_LIKELY(skerry_exchange_arrive(exchange))) {
        if (OMP_LIKELY(!omp_tasks_made(exchange))) return true;
        return pass_flags_with_tasks(exchange, exchange->number);
    }
    const uint32_t number = exchange->number;
    const struct skerry_flag *const own = exchange->own;
    do {
        // Polls the flag several times before the test for tasks, because the thread then goes on earlier. After the last
        // poll all threads have arrived, so the test sees every value that was stored before the barrier.
        if (OMP_LIKELY(skerry_exchange_has_come(own, number)) || OMP_LIKELY(skerry_exchange_has_come(own, number)) ||
            OMP_LIKELY(skerry_exchange_has_come(own, number))) {
            if (OMP_LIKELY(!omp_tasks_made(exchange))) return true;
            break;
        }
    } while (OMP_LIKELY(!omp_tasks_made(exchange)));
    return pass_flags_with_tasks(exchange, number);
}
#endif
#endif

// Executes a barrier by rounds. A thread sends twice the barrier's number, plus 1 if the thread knows that tasks were
// made in this region. A receiver passes this 1 on in the words that it sends in later rounds. After the last round all
// threads therefore agree whether they must also run tasks (meet_with_tasks).
SKERRY_ALWAYS_INLINE bool pass_near(struct omp_thread *self, uint32_t number, bool may_cancel) {
    const struct omp_near *near = &self->state.member->near;
    const skerry_word arrived = (skerry_word)number * 2;
    // Two consecutive barriers use different words, because a sender can be one barrier ahead of its receiver. With one
    // word, the sender could replace a signal that the receiver has not read yet. A sender cannot be two barriers
    // ahead: it leaves a barrier only after its receiver has entered that barrier.
    const uint32_t parity = number & 1;
    skerry_word value = arrived | (near->tasks_made != 0);
    // The thread's earlier stores must be visible before its first signal. Every thread that receives the signal,
    // directly or through other threads, then sees these stores. The threads that pass the signal on need no fence.
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
