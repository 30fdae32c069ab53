// SPDX-License-Identifier: BSD-3-Clause
// Task groups: tasks made inside of one, and theirs, are waited for at its end and may be cancelled together.
#ifndef SKERRY_OMP_GROUP_H
#define SKERRY_OMP_GROUP_H

#include "internal.h"

struct omp_taskgroup {
    struct omp_taskgroup *outer;
    uint64_t
        pending; // tasks of the group that were not run at once and have not finished: counted by whoever makes and ends them
    uintptr_t *reductions; // of this group, then of those around it (reduction.c)
    uint32_t cancelled;
    int32_t eventcount; // of the thread that waits for it
    bool of_construct;  // made by a work-sharing construct or region for its reductions
};

SKERRY_ALWAYS_INLINE void omp_group_enter(struct omp_taskgroup *group) {
    __atomic_fetch_add(&group->pending, 1, __ATOMIC_RELAXED);
}

// A release: whoever waits for the group goes on with what the task has done. The group may be gone at once.
SKERRY_ALWAYS_INLINE void omp_group_leave(struct omp_taskgroup *group) {
    skerry_publishes(group);
    const int32_t eventcount = group->eventcount;
    if (__atomic_fetch_sub(&group->pending, 1, __ATOMIC_RELEASE) == 1) skerry_wake(eventcount);
}

// Whether a task is to end without having begun, and to make none.
SKERRY_ALWAYS_INLINE bool omp_is_discarded(const struct omp_task *task) {
    if (OMP_UNLIKELY(__atomic_load_n(&task->team->cancelled, __ATOMIC_RELAXED))) return true;
    for (const struct omp_taskgroup *group = task->group; group; group = group->of_construct ? group->outer : NULL)
        if (OMP_UNLIKELY(__atomic_load_n(&group->cancelled, __ATOMIC_RELAXED))) return true;
    return false;
}

enum omp_detach { OMP_DETACH_NONE, OMP_DETACH_AWAITED, OMP_DETACH_FULFILLED, OMP_DETACH_ENDED };

// group.c
bool skerry_omp_is_detached(struct omp_task *task); // its function has returned: whether its event is still to come

// priority.c: tasks that cannot be in a deque, by priority
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
