// SPDX-License-Identifier: BSD-3-Clause
// Barriers of a team. Barriers are numbered from 1 over all the regions of a team, by each thread for itself, and no word is ever set back.
//   two threads   each stores the barrier's number into its own word and waits until the other's has come that far: one crossing.
//                 Their words are in lines of their own, but at a barrier behind a single in that one's line: whoever looked there
//                 whether to run it has the line, and stores its arrival for nothing (bench/limits/omp_single.c: 70 ns instead of 145).
//                 Both threads have met the same constructs, so they agree on which of their words counts
//   others        each adds 1 to `arrived`; the last to come stores the number into `released`, for which the others wait
// Whoever waits runs tasks meanwhile; a barrier is passed only when no task of the region is left. Once tasks were made in a region, a thread
// that finds all threads arrived and none left stores `released`; all who do store the same number, and the next barrier's
// cannot be stored before they have gone on to it. Arriving is a release and seeing it an acquire; nothing weaker carries what
// was written before the barrier.
#include "group.h"
#include "mutex.h"
#include "variant.h"
#include "wait.h"

SKERRY_ALWAYS_INLINE bool is_pair(const struct omp_team *team) {
    return team->threads == 2 && OMP_LIKELY(skerry_omp_variants.barrier == OMP_BARRIER_PAIR);
}

// Of two; its words only grow.
static bool has_arrived(const struct omp_team *team, uint32_t thread, uint64_t number) {
    return SKERRY_LOAD_ACQUIRE(&team->members[thread].arrival) >= number ||
           SKERRY_LOAD_ACQUIRE(&team->arrivals[thread]) >= number;
}

static bool have_all_arrived(const struct omp_team *team, uint64_t number) {
    if (team->threads == 1) return true;
    if (is_pair(team)) return has_arrived(team, 0, number) && has_arrived(team, 1, number);
    return SKERRY_LOAD_ACQUIRE(&team->arrived) >= number * team->threads;
}

// A task that ends wakes only whom it was a child of: who runs the last one looks here itself when it comes.
// Whether any task is left is a look at every thread of the team: in a large one only its master looks, who came last, and those who
// have run a task here. The last task ends on one of these, or on a thread of no team, which wakes the master.
#define LOOKERS_MAX 64

// With tasks: until none is left. True: passed; false: cancelled.
static bool wait_with_tasks(struct omp_thread *self, struct omp_team *team, uint64_t number, bool may_cancel) {
    const uint64_t arrived = SKERRY_LOAD_ACQUIRE(&team->arrived);
    bool looks = team->threads <= LOOKERS_MAX || self->state.thread_number == 0 || arrived >= number * team->threads;
    SKERRY_PAUSE(pause);
    while (SKERRY_LOAD_ACQUIRE(&team->released) < number) {
        if (may_cancel && __atomic_load_n(&team->cancelled, __ATOMIC_ACQUIRE)) return false;
        if (skerry_omp_run_some_task(self)) {
            skerry_pause_again(&pause);
            looks = true;
            continue;
        }
        if (looks && have_all_arrived(team, number) && skerry_omp_is_quiet(team)) {
            skerry_store_release(&team->released, number, team->eventcount);
            break;
        }
        skerry_pause(&pause, team->eventcount);
    }
    return true;
}

SKERRY_ALWAYS_INLINE bool is_cancelled(const struct omp_team *team, bool may_cancel) {
    return may_cancel && OMP_UNLIKELY(__atomic_load_n(&team->cancelled, __ATOMIC_ACQUIRE));
}

// How many have arrived at barriers, with this one.
SKERRY_ALWAYS_INLINE uint64_t arrive(struct omp_team *team) {
    if (OMP_LIKELY(skerry_omp_variants.barrier != OMP_BARRIER_MUTEX))
        return skerry_atomic_count(&team->arrived, 1, 0) + 1;
    omp_mutex_take(&team->arrival_lock);
    uint64_t arrived = team->arrived + 1;
    __atomic_store_n(&team->arrived, arrived, __ATOMIC_RELEASE);
    omp_mutex_give(&team->arrival_lock);
    return arrived;
}

// Of two threads: one says that it is there, and waits for the other.
SKERRY_ALWAYS_INLINE void meet(struct omp_thread *self, skerry_word *own, const skerry_word *others, uint64_t number,
                               bool may_cancel) {
    struct omp_team *team = self->state.team;
    skerry_store_release(own, number, team->eventcount);
    OMP_HELP_UNTIL(self, team, SKERRY_LOAD_ACQUIRE(others) >= number || is_cancelled(team, may_cancel));
}

// Returns false when the region is cancelled, which only a barrier that may be is told.
SKERRY_ALWAYS_INLINE bool pass(struct omp_thread *self, bool may_cancel) {
    struct omp_team *team = self->state.team;
    struct omp_member *member = self->state.member;
    uint64_t number = ++member->barriers;
    if (is_cancelled(team, may_cancel)) return false;
    if (team->threads == 1) return OMP_LIKELY(!team->tasks_made) || wait_with_tasks(self, team, number, may_cancel);
    if (is_pair(team)) {
        const uint32_t me = self->state.thread_number, other = 1 - me;
        if (member->singles == member->singles_before)
            meet(self, &member->arrival, &team->members[other].arrival, number, may_cancel);
        else {
            member->singles_before = member->singles;
            meet(self, &team->arrivals[me], &team->arrivals[other], number, may_cancel);
        }
        if (is_cancelled(team, may_cancel)) return false;
        return OMP_LIKELY(!__atomic_load_n(&team->tasks_made, __ATOMIC_RELAXED)) ||
               wait_with_tasks(self, team, number, may_cancel);
    }
    bool is_last = arrive(team) == number * team->threads;
    if (OMP_UNLIKELY(__atomic_load_n(&team->tasks_made, __ATOMIC_RELAXED)))
        return wait_with_tasks(self, team, number, may_cancel);
    if (is_last) {
        skerry_store_release(&team->released, number, team->eventcount);
        return true;
    }
    OMP_HELP_UNTIL(self, team,
                   SKERRY_LOAD_ACQUIRE(&team->released) >= number || is_cancelled(team, may_cancel) ||
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

void skerry_omp_barrier(struct omp_thread *self) {
    pass_watched(self, false);
}

bool skerry_omp_barrier_cancel(struct omp_thread *self) {
    return !pass_watched(self, true);
}

OMP_EXPORT void GOMP_barrier(void) {
    pass_watched(omp_self(), false);
}

OMP_EXPORT bool GOMP_barrier_cancel(void) {
    return !pass_watched(omp_self(), true);
}
