// SPDX-License-Identifier: BSD-3-Clause
// Task groups. The end of a group waits for all tasks that were made inside it and for their descendants. They can be
// cancelled together.
#ifndef SKERRY_OMP_GROUP_H
#define SKERRY_OMP_GROUP_H

#include "internal.h"

struct omp_taskgroup {
    struct omp_taskgroup *outer;
    // Tasks of the group that did not run at once and have not finished. Their makers and the threads that finish them
    // change it.
    uint64_t pending;
    uintptr_t *reductions; // of this group, then of the groups around it (reduction.c)
    uint32_t cancelled;
    int32_t eventcount; // of the thread that waits for the group
    bool of_construct;  // a work-sharing construct or region made it for its reductions
};

SKERRY_ALWAYS_INLINE void omp_group_enter(struct omp_taskgroup *group) {
    __atomic_fetch_add(&group->pending, 1, __ATOMIC_RELAXED);
}

// Counts a finished task off. A release: the thread that waits for the group then sees what the task has done. The
// memory of the group may be freed at once.
SKERRY_ALWAYS_INLINE void omp_group_leave(struct omp_taskgroup *group) {
    skerry_publishes(group);
    const int32_t eventcount = group->eventcount;
    if (__atomic_fetch_sub(&group->pending, 1, __ATOMIC_RELEASE) == 1) skerry_wake(eventcount);
}

// Returns true if a cancellation applies to the task: it must end without having begun, and make no tasks.
SKERRY_ALWAYS_INLINE bool omp_is_discarded(const struct omp_task *task) {
    if (OMP_UNLIKELY(__atomic_load_n(&task->team->cancelled, __ATOMIC_RELAXED))) return true;
    for (const struct omp_taskgroup *group = task->group; group; group = group->of_construct ? group->outer : NULL)
        if (OMP_UNLIKELY(__atomic_load_n(&group->cancelled, __ATOMIC_RELAXED))) return true;
    return false;
}

enum omp_detach { OMP_DETACH_NONE, OMP_DETACH_AWAITED, OMP_DETACH_FULFILLED, OMP_DETACH_ENDED };

// group.c
// Call after the task's function has returned. Returns true if its event has not been fulfilled yet.
bool skerry_omp_is_detached(struct omp_task *task);

// priority.c: tasks that are not in a deque, ordered by priority
void skerry_omp_priority_add(struct omp_team *team, struct omp_task *task);
struct omp_task *skerry_omp_priority_take(struct omp_team *team, bool (*may_take)(const struct omp_task *, void *),
                                          void *argument);

void skerry_omp_expect_dependents(const struct omp_task *task);
void skerry_omp_notify_all(struct omp_team *team);
void skerry_omp_copy_icv(struct omp_task *task);
void skerry_omp_drop_icv(struct omp_task *task);
void GOMP_taskwait(void);
void GOMP_taskgroup_reduction_register(uintptr_t *data);
void GOMP_task(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
               bool may_defer, unsigned flags, void **depends, int priority, void *detach);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);
void GOMP_barrier(void);

#endif
