// SPDX-License-Identifier: BSD-3-Clause
// Waiting inside a region: for something others will do, running tasks of the region meanwhile. Tasks are looked for when the team's
// hint says that some were made, now and then without it, and once more before falling asleep: the hint may be lost, because who makes
// a task looks at it without a fence; it is then found by one of these looks, and by its maker in any case.
#ifndef SKERRY_OMP_WAIT_H
#define SKERRY_OMP_WAIT_H

#include "internal.h"

#define OMP_LOOKS 256

SKERRY_ALWAYS_INLINE bool omp_may_help(const struct omp_team *team, const struct skerry_pause *pause, uint32_t looks) {
    if (__atomic_load_n(&team->work, __ATOMIC_RELAXED)) return true;
    return (looks % OMP_LOOKS == 0 || skerry_pause_is_armed(pause)) &&
           __atomic_load_n(&team->tasks_made, __ATOMIC_RELAXED);
}

#define OMP_HELP_UNTIL(self, team, condition)                                                                          \
    do {                                                                                                               \
        SKERRY_PAUSE(omp_pausing);                                                                                     \
        for (uint32_t omp_looks = 1; !(condition); omp_looks++) {                                                      \
            if (OMP_UNLIKELY(omp_may_help(team, &omp_pausing, omp_looks)) && skerry_omp_run_some_task(self))           \
                skerry_pause_again(&omp_pausing);                                                                      \
            else skerry_pause(&omp_pausing, (team)->eventcount);                                                       \
        }                                                                                                              \
    } while (0)

// Where a tied task waits: only what descends from it may run.
#define OMP_RUN_DESCENDANTS_UNTIL(self, condition)                                                                     \
    do {                                                                                                               \
        SKERRY_PAUSE(omp_pausing);                                                                                     \
        for (uint32_t omp_looks = 0; !(condition);) {                                                                  \
            if (skerry_omp_run_descendant(self, omp_looks++)) {                                                        \
                skerry_pause_again(&omp_pausing);                                                                      \
                omp_looks = 0;                                                                                         \
            } else skerry_pause(&omp_pausing, (self)->number);                                                         \
        }                                                                                                              \
    } while (0)

#endif
