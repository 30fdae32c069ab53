// SPDX-License-Identifier: BSD-3-Clause
// Defines the waits inside a region. A thread that waits runs tasks of the region.
#ifndef SKERRY_OMP_WAIT_H
#define SKERRY_OMP_WAIT_H

#include "../internal.h"

// On simulated machines (SKERRY_NEAR_MEMORY) the number is small, because the simulator finds a wait that cannot end only if the
// wait has repeated itself after some 100,000 cycles.
#define OMP_POLLS_OF_A_SEARCH (SKERRY_NEAR_MEMORY ? 4 : 256)

// Returns true if a waiting thread must search for tasks at this poll. While the team's hint `work` is 1, the thread
// searches at every poll. While `work` is 0, it searches once in OMP_POLLS_OF_A_SEARCH polls, and once more before it
// sleeps.
//
// `work` can be 0 although a task was made: the thread that makes a task reads `work` without a fence, and sets it only
// if it reads 0. One of the rare searches usually finds such a task. If no search finds the task, the thread that made
// it runs it later.
SKERRY_ALWAYS_INLINE bool omp_may_help(const struct omp_thread *self, const struct skerry_pause *pause,
                                       uint32_t searches) {
    const struct omp_team *team = self->state.team;
    if (SKERRY_NEAR_MEMORY) return omp_knows_of_tasks(self);
    if (__atomic_load_n(&team->work, __ATOMIC_RELAXED)) return true;
    return (searches % OMP_POLLS_OF_A_SEARCH == 0 || skerry_pause_is_armed(pause)) &&
           __atomic_load_n(&team->tasks_made, __ATOMIC_RELAXED);
}

// By how much one poll increases the number of polls that a wait counts. The number decides at which polls the waiting
// thread searches for tasks (omp_may_help). On simulated machines (SKERRY_NEAR_MEMORY) it is not needed, and the loop of a
// wait must not change a register for ever. By this the simulator recognises a wait that cannot end, and reports a deadlock.
#define OMP_POLL_COUNTS (!SKERRY_NEAR_MEMORY)

// Returns the number of searches after one more search of a wait inside a task. skerry_omp_run_descendant uses the number. On
// simulated machines it begins again, for the same reason.
SKERRY_ALWAYS_INLINE uint32_t omp_next_search(uint32_t searches) {
    return SKERRY_NEAR_MEMORY ? (searches + 1) % OMP_POLLS_OF_A_SEARCH : searches + 1;
}

// Waits for `condition` at a barrier or at another place where OpenMP allows every task. Meanwhile the thread runs any
// tasks of the region.
#define OMP_HELP_UNTIL(self, team, condition)                                                                          \
    do {                                                                                                               \
        SKERRY_PAUSE(omp_pausing);                                                                                     \
        for (uint32_t omp_searches = 1; !(condition); omp_searches += OMP_POLL_COUNTS) {                               \
            if (OMP_UNLIKELY(omp_may_help(self, &omp_pausing, omp_searches)) &&                                        \
                skerry_omp_run_some_task(self, skerry_pause_is_armed(&omp_pausing)))                                   \
                skerry_pause_again(&omp_pausing);                                                                      \
            else skerry_pause(&omp_pausing, (team)->eventcount);                                                       \
        }                                                                                                              \
        omp_close_for_tasks(self);                                                                                     \
    } while (0)

// Waits for `condition` inside a task. Meanwhile the thread runs only descendants of this task. OpenMP does not allow
// the thread to begin another task while this tied task is suspended.
#define OMP_RUN_DESCENDANTS_UNTIL(self, condition)                                                                     \
    do {                                                                                                               \
        SKERRY_PAUSE(omp_pausing);                                                                                     \
        for (uint32_t omp_searches = 0; !(condition);) {                                                               \
            if (skerry_omp_run_descendant(self, omp_searches)) {                                                       \
                skerry_pause_again(&omp_pausing);                                                                      \
                omp_searches = 0;                                                                                      \
            } else {                                                                                                   \
                omp_searches = omp_next_search(omp_searches);                                                          \
                skerry_pause(&omp_pausing, (self)->number);                                                            \
            }                                                                                                          \
        }                                                                                                              \
        omp_close_for_tasks(self);                                                                                     \
    } while (0)

#endif
