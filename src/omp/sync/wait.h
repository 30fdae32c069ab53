// SPDX-License-Identifier: BSD-3-Clause
// Defines the waits inside a region. A thread that waits runs tasks of the region. While the team's hint `work` is 1,
// the thread searches for tasks at every poll. While the hint is 0, the thread searches only once in
// OMP_POLLS_OF_A_SEARCH polls, and once more before it sleeps. The hint can be 0 although a task was made, because a
// thread that makes a task reads the hint without a fence, and sets it only if it reads 0. In this case one of the rare
// searches usually finds the task. If no search finds it, the thread that made the task runs the task later.
#ifndef SKERRY_OMP_WAIT_H
#define SKERRY_OMP_WAIT_H

#include "../internal.h"

#define OMP_POLLS_OF_A_SEARCH 256

SKERRY_ALWAYS_INLINE bool omp_may_help(const struct omp_thread *self, const struct skerry_pause *pause,
                                       uint32_t searches) {
    const struct omp_team *team = self->state.team;
    if (SKERRY_NEAR_MEMORY && !omp_knows_of_tasks(self)) return false;
    if (__atomic_load_n(&team->work, __ATOMIC_RELAXED)) return true;
    return (searches % OMP_POLLS_OF_A_SEARCH == 0 || skerry_pause_is_armed(pause)) &&
           __atomic_load_n(&team->tasks_made, __ATOMIC_RELAXED);
}

// Returns the number, 0 or 1, by which a poll increases a wait's count of polls. It is 0 on simulated machines while
// the region has no tasks, because the count is needed only to search for tasks. Then the loop of the wait changes no
// register, and the simulator can recognise an endless wait as a deadlock.
SKERRY_ALWAYS_INLINE uint32_t omp_poll_counts(const struct omp_thread *self) {
    return !SKERRY_NEAR_MEMORY || omp_knows_of_tasks(self);
}

#define OMP_HELP_UNTIL(self, team, condition)                                                                          \
    do {                                                                                                               \
        SKERRY_PAUSE(omp_pausing);                                                                                     \
        for (uint32_t omp_searches = 1; !(condition); omp_searches += omp_poll_counts(self)) {                         \
            if (OMP_UNLIKELY(omp_may_help(self, &omp_pausing, omp_searches)) &&                                        \
                skerry_omp_run_some_task(self, skerry_pause_is_armed(&omp_pausing)))                                   \
                skerry_pause_again(&omp_pausing);                                                                      \
            else skerry_pause(&omp_pausing, (team)->eventcount);                                                       \
        }                                                                                                              \
    } while (0)

// Waits for `condition` inside a task. While it waits, the thread runs only descendants of this task, because OpenMP
// does not allow it to begin another task while this (tied) task is suspended.
#define OMP_RUN_DESCENDANTS_UNTIL(self, condition)                                                                     \
    do {                                                                                                               \
        SKERRY_PAUSE(omp_pausing);                                                                                     \
        for (uint32_t omp_searches = 0; !(condition);) {                                                               \
            if (skerry_omp_run_descendant(self, omp_searches++)) {                                                     \
                skerry_pause_again(&omp_pausing);                                                                      \
                omp_searches = 0;                                                                                      \
            } else skerry_pause(&omp_pausing, (self)->number);                                                         \
        }                                                                                                              \
    } while (0)

#endif
