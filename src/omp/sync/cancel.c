// SPDX-License-Identifier: BSD-3-Clause
// Implements the cancellation of regions, loops, sections and task groups. Each thread of a cancelled region jumps to
// the end of the region at its next cancellation point or barrier. A thread that waits for its turn in an ordered loop
// also jumps to the end. Tasks of the region that have not begun are discarded.
#include "../task/group.h"

enum { CANCEL_PARALLEL = 1, CANCEL_LOOP = 2, CANCEL_SECTIONS = 4, CANCEL_TASKGROUP = 8 };

static bool is_group_cancelled(const struct omp_taskgroup *group) {
    for (; group; group = group->of_construct ? group->outer : NULL)
        if (__atomic_load_n(&group->cancelled, __ATOMIC_RELAXED)) return true;
    return false;
}

OMP_EXPORT bool GOMP_cancellation_point(int which) {
    if (!skerry_omp_device.cancellation) return false;
    const struct omp_state *state = &omp_self()->state;
    const struct omp_team *team = state->team;
    if (which & (CANCEL_LOOP | CANCEL_SECTIONS))
        return __atomic_load_n(&team->loop_cancelled, __ATOMIC_RELAXED) == omp_barriers(state->member) + 1;
    if ((which & CANCEL_TASKGROUP) && is_group_cancelled(state->task->group)) return true;
    return __atomic_load_n(&team->cancelled, __ATOMIC_ACQUIRE);
}

OMP_EXPORT bool GOMP_cancel(int which, bool is_wanted) {
    if (!skerry_omp_device.cancellation) return false;
    if (!is_wanted) return GOMP_cancellation_point(which);
    const struct omp_state *state = &omp_self()->state;
    struct omp_team *team = state->team;
    if (which & (CANCEL_LOOP | CANCEL_SECTIONS)) {
        // The word `loop_cancelled` contains the number of the barrier that ends the cancelled loop or sections. All
        // threads of the construct have the same number for this barrier. The barrier of the next construct has another
        // number, so no thread must reset the word.
        __atomic_store_n(&team->loop_cancelled, omp_barriers(state->member) + 1, __ATOMIC_RELAXED);
        return true;
    }
    if (which & CANCEL_TASKGROUP) {
        struct omp_taskgroup *group = state->task->group;
        if (group && group->of_construct && group->outer) group = group->outer;
        if (group) __atomic_store_n(&group->cancelled, 1, __ATOMIC_RELAXED);
        return true;
    }
    __atomic_store_n(&team->cancelled, 1, __ATOMIC_RELEASE);
    skerry_compiler_fence();
    skerry_wake(team->eventcount);
    return true;
}
