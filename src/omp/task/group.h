// SPDX-License-Identifier: BSD-3-Clause
// Defines task groups. At the end of a task group a thread waits for all tasks made inside the group, and for their
// descendants. A program can cancel all tasks of a group together.
#ifndef SKERRY_OMP_GROUP_H
#define SKERRY_OMP_GROUP_H

#include "../internal.h"

struct omp_taskgroup {
    struct omp_taskgroup *outer;
    // Number of unfinished tasks of the group, without tasks that run at once as calls. The thread that makes a task
    // adds 1. The thread that finishes the task subtracts 1.
    skerry_word pending;
    uintptr_t *reductions; // list: reductions of this group, then of the groups around it (reduction.c)
    uint32_t cancelled;
    int32_t eventcount; // eventcount of the thread that waits for the group
    bool of_construct;  // the runtime made this group for the reductions of a work-sharing construct or a region
};

SKERRY_ALWAYS_INLINE void omp_group_enter(struct omp_taskgroup *group) {
    __atomic_fetch_add(&group->pending, 1, __ATOMIC_RELAXED);
}

// Subtracts a finished task from the group's number of unfinished tasks. The subtraction is a release: the thread that
// waits for the group sees what the task has done. That thread can free the group as soon as the last task is
// subtracted. Its `eventcount` (the place where it sleeps) is therefore read before.
SKERRY_ALWAYS_INLINE void omp_group_leave(struct omp_taskgroup *group) {
    skerry_publishes(group);
    const int32_t eventcount = group->eventcount;
    if (__atomic_fetch_sub(&group->pending, 1, __ATOMIC_RELEASE) == 1) skerry_wake(eventcount);
}

// Returns true if the task's region or a task group of the task is cancelled. A cancelled task must end without running
// its function, and must not make tasks.
SKERRY_ALWAYS_INLINE bool omp_is_discarded(const struct omp_task *task) {
    if (OMP_UNLIKELY(__atomic_load_n(&task->team->cancelled, __ATOMIC_RELAXED))) return true;
    for (const struct omp_taskgroup *group = task->group; group; group = group->of_construct ? group->outer : NULL)
        if (OMP_UNLIKELY(__atomic_load_n(&group->cancelled, __ATOMIC_RELAXED))) return true;
    return false;
}

enum omp_detach { OMP_DETACH_NONE, OMP_DETACH_AWAITED, OMP_DETACH_FULFILLED, OMP_DETACH_ENDED };

// Defined in group.c:
// Called when the function of a detached task has returned. Returns true if the task's event is not fulfilled yet. In
// this case the thread that fulfils the event will finish the task.
bool skerry_omp_is_detached(struct omp_task *task);

// Defined in priority.c:
// skerry_omp_priority_add adds a ready task to the team's priority queue. skerry_omp_priority_take considers only tasks
// for which may_take(task, argument) is true. It takes the task with the highest priority, or returns NULL if there is
// no such task.
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
