// SPDX-License-Identifier: BSD-3-Clause
// Implements barriers of a team. A barrier is complete when all threads have arrived and no task of the region is left.
// Threads that wait at a barrier therefore run tasks. Each thread numbers the barriers of its team from 1, and a new
// region continues the numbers of the region before. The words of the barriers need no reset between regions, except
// after a cancelled region. A team uses one of two barriers:
// * A team of two threads: each thread stores the barrier's number into its own word (`meet`), and waits until the
//   other thread's word has reached this number. The barrier takes one transfer of a cache line between the two
//   processors.
// * A team of more threads: each thread adds 1 to `arrived`. The last thread to arrive stores the barrier's number into
//   `released`. The other threads wait for this store.
//
// A thread arrives by a store or an addition that is a release. The load that sees the arrival is an acquire. With
// weaker orderings a thread would not always see the data that other threads wrote before the barrier.
#include "../task/group.h"
#include "../task/optional.h"
#include "../variant/variant.h"
#include "wait.h"

// Returns true if the team uses the barrier of two threads. This barrier needs words of 64 bits: words of 32 bits would
// become 0 again after some minutes of barriers. Then an old word of a thread could seem to be ahead of the barrier's
// number. On machines with words of 32 bits a team of two threads uses the barrier of larger teams.
SKERRY_ALWAYS_INLINE bool is_pair(const struct omp_team *team) {
    return sizeof(skerry_word) == sizeof(uint64_t) && team->threads == 2 &&
           OMP_LIKELY(OMP_VARIANT(OMP_BARRIER) == OMP_BARRIER_PAIR);
}

// Returns true if a thread of a team of two has entered barrier `number`. At each barrier a thread stores the barrier's
// number into one of its two words for arrivals. Both words only grow, and never become 0 again (is_pair). A word of at
// least `number` therefore means that the thread has entered barrier `number`.
static bool has_arrived(const struct omp_team *team, uint32_t thread, uint64_t number) {
    return SKERRY_LOAD_ACQUIRE(&omp_member(team, thread)->arrival) >= number ||
           SKERRY_LOAD_ACQUIRE(&team->arrivals[thread]) >= number;
}

static bool have_all_arrived(const struct omp_team *team, uint64_t number) {
    if (team->threads == 1) return true;
    if (is_pair(team)) return has_arrived(team, 0, number) && has_arrived(team, 1, number);
    return skerry_reached(&team->arrived, (skerry_word)(number * team->threads));
}

// In a team of at most this number of threads, every waiting thread checks whether tasks of the region are left. The
// check reads a word of every thread of the team. In larger teams therefore only some threads check: the master (thread
// 0), the last thread to arrive, and each thread that has run a task during this wait.
//
// Why these threads are enough:
// * If the last task ends before all threads have arrived, the last thread to arrive finds that no task is left.
// * If a thread of the team runs the last task later, this thread checks afterwards. The other threads possibly sleep,
//   because the end of a task wakes only the thread that runs the task's parent.
// * If a thread outside the team runs the last task, this thread wakes the master, and the master checks.
#define CHECKERS_MAX 64

// Runs tasks until all threads have arrived at barrier `number` and no task is left. Returns true if the barrier is
// complete, false if the region is cancelled.
static bool wait_with_tasks(struct omp_thread *self, struct omp_team *team, uint64_t number, bool may_cancel) {
    bool checks = team->threads <= CHECKERS_MAX || self->state.thread_number == 0 ||
                  skerry_reached(&team->arrived, (skerry_word)(number * team->threads));
    SKERRY_PAUSE(pause);
    while (!skerry_reached(&team->released, (skerry_word)number)) {
        if (may_cancel && __atomic_load_n(&team->cancelled, __ATOMIC_ACQUIRE)) return false;
        if (skerry_omp_run_some_task(self, skerry_pause_is_armed(&pause))) {
            skerry_pause_again(&pause);
            checks = true;
            continue;
        }
        if (checks && have_all_arrived(team, number) && skerry_omp_is_quiet(team)) {
            // Several threads can store `released` for the same barrier. All of them store the same number. No thread
            // can store the next barrier's number before all threads have entered the next barrier.
            skerry_store_release(&team->released, (skerry_word)number, team->eventcount);
            break;
        }
        skerry_pause(&pause, team->eventcount);
    }
    return true;
}

SKERRY_ALWAYS_INLINE bool is_cancelled(const struct omp_team *team, bool may_cancel) {
    return may_cancel && OMP_UNLIKELY(__atomic_load_n(&team->cancelled, __ATOMIC_ACQUIRE));
}

// Adds 1 to `arrived` for this thread. Returns the new value: the number of arrivals of all threads at all barriers.
SKERRY_ALWAYS_INLINE skerry_word arrive(struct omp_team *team) {
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_BARRIER) == OMP_BARRIER_MUTEX)) return skerry_omp_arrive_locked(team);
    return skerry_atomic_count(&team->arrived, 1, 0) + 1;
}

// Executes a barrier of two threads. Stores the barrier's number into `own`, this thread's word for arrivals. Waits
// until `others`, the other thread's word, has reached this number. Also returns if may_cancel is true and the region
// is cancelled.
SKERRY_ALWAYS_INLINE void meet(struct omp_thread *self, skerry_word *own, const skerry_word *others, uint64_t number,
                               bool may_cancel) {
    struct omp_team *team = self->state.team;
    skerry_store_release(own, (skerry_word)number, team->eventcount);
    OMP_HELP_UNTIL(self, team, SKERRY_LOAD_ACQUIRE(others) >= number || is_cancelled(team, may_cancel));
}

#include "near_barrier.h"

// Executes the thread's next barrier. Returns false if may_cancel is true and the region is cancelled. If not, returns
// true.
SKERRY_ALWAYS_INLINE bool pass(struct omp_thread *self, bool may_cancel) {
    struct omp_team *team = self->state.team;
    struct omp_member *member = self->state.member;
#if SKERRY_EVENTS
    if (!may_cancel && has_counters()) return pass_by_counters();
#if !SKERRY_EVENT_TARGETS
    struct skerry_exchange *const exchange = self->state.member->near.exchange;
    if (!may_cancel && exchange) return arrive_with_tasks(exchange);
#endif
#endif
    uint64_t number = ++member->barriers;
    if (is_cancelled(team, may_cancel)) return false;
#if SKERRY_NEAR_MEMORY
    return pass_near(self, (uint32_t)number, may_cancel);
#endif
    if (team->threads == 1) return OMP_LIKELY(!team->tasks_made) || wait_with_tasks(self, team, number, may_cancel);
    if (is_pair(team)) {
        const uint32_t me = self->state.thread_number, other = 1 - me;
        // After a single construct (`singles` has changed) the two threads use the words in `arrivals`. These words are
        // in the cache line of `single`. The thread that did not run the construct has already fetched this line to
        // read `single`. This thread can store its arrival without another transfer of a line: a barrier takes 70 ns
        // instead of 145 (bench/limits/omp_single.c). Both threads have executed the same constructs, so they choose
        // the same words.
        if (member->singles == member->singles_before)
            meet(self, &member->arrival, &omp_member(team, other)->arrival, number, may_cancel);
        else {
            member->singles_before = member->singles;
            meet(self, &team->arrivals[me], &team->arrivals[other], number, may_cancel);
        }
        if (is_cancelled(team, may_cancel)) return false;
        return OMP_LIKELY(!__atomic_load_n(&team->tasks_made, __ATOMIC_RELAXED)) ||
               wait_with_tasks(self, team, number, may_cancel);
    }
    bool is_last = arrive(team) == (skerry_word)(number * team->threads);
    // If tasks were made, the last thread to arrive does not store `released` at once. A thread that finds no task left
    // stores it in wait_with_tasks.
    if (OMP_UNLIKELY(__atomic_load_n(&team->tasks_made, __ATOMIC_RELAXED)))
        return wait_with_tasks(self, team, number, may_cancel);
    if (is_last) {
        skerry_store_release(&team->released, (skerry_word)number, team->eventcount);
        return true;
    }
    OMP_HELP_UNTIL(self, team,
                   skerry_reached(&team->released, (skerry_word)number) || is_cancelled(team, may_cancel) ||
                       (OMP_UNLIKELY(__atomic_load_n(&team->tasks_made, __ATOMIC_RELAXED)) &&
                        wait_with_tasks(self, team, number, may_cancel)));
    return !is_cancelled(team, may_cancel);
}

SKERRY_ALWAYS_INLINE bool pass_watched(struct omp_thread *self, bool may_cancel) {
    const struct omp_team *team = self->state.team;
    skerry_publishes(&team->arrived);
    bool is_passed = pass(self, may_cancel);
    skerry_sees(&team->arrived);
    return is_passed;
}

#if SKERRY_EVENTS
static SKERRY_COLD void pass_slowly(struct omp_thread *self) {
    pass_watched(self, false);
}

// Executes the thread's next barrier. The two common cases call no function, so the compiled code saves no registers in
// these cases.
SKERRY_ALWAYS_INLINE void pass_barrier(void) {
    if (OMP_LIKELY(has_counters())) {
        (void)pass_by_counters();
        return;
    }
    struct omp_thread *self = skerry_omp_self;
    if (OMP_UNLIKELY(self == NULL)) {
        pass_slowly(omp_self());
        return;
    }
    struct omp_member *member = self->state.member;
    if (member->near.threads == 1 && !member->near.tasks_made) member->barriers++;
    else pass_slowly(self);
}

void skerry_omp_barrier(struct omp_thread *self) {
    (void)self;
    pass_barrier();
}
#else
void skerry_omp_barrier(struct omp_thread *self) {
    pass_watched(self, false);
}
#endif

bool skerry_omp_barrier_cancel(struct omp_thread *self) {
    return !pass_watched(self, true);
}

OMP_EXPORT void GOMP_barrier(void) {
#if SKERRY_EVENTS
    pass_barrier();
#else
    pass_watched(omp_self(), false);
#endif
}

OMP_EXPORT bool GOMP_barrier_cancel(void) {
    return !pass_watched(omp_self(), true);
}
