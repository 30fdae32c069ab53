// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends task groups. Also finishes detached tasks, which finish only when the program has fulfilled their
// event (omp_fulfill_event).
#include "group.h"

#include "../sync/wait.h"

OMP_EXPORT void GOMP_taskgroup_start(void) {
    struct omp_thread *self = omp_self();
    struct omp_task *task = self->state.task;
    struct omp_taskgroup *group = skerry_memory_take(sizeof *group, _Alignof(struct omp_taskgroup));
    if (!group) skerry_stop("libgomp: GOMP_taskgroup_start: no memory");
    *group = (struct omp_taskgroup){
        .outer = task->group, .reductions = task->group ? task->group->reductions : NULL, .eventcount = skerry_my_pe()};
    task->group = group;
    omp_forget_frame(task);
    omp_close_queue();
}

OMP_EXPORT void GOMP_taskgroup_end(void) {
    struct omp_thread *self = omp_self();
    struct omp_task *task = self->state.task;
    struct omp_taskgroup *group = task->group;
    if (!group) return; // no group to end: the program does not conform to OpenMP
    OMP_RUN_DESCENDANTS_UNTIL(self, __atomic_load_n(&group->pending, __ATOMIC_ACQUIRE) == 0);
    skerry_sees(group);
    task->group = group->outer;
    omp_forget_frame(task);
    omp_close_queue();
    skerry_memory_give(group);
}

// -- Detached tasks ----------------------------------------------------------------------------------------------------

// Called when the function of a detached task has returned. Returns true if the task's event is not fulfilled yet. The
// thread that has run the function and the thread that fulfils the event both change the task's word `detach` by
// compare-swap. Each of them therefore learns whether it is the later one, and the later thread finishes the task.
bool skerry_omp_is_detached(struct omp_task *task) {
    skerry_publishes(task);
    uint8_t awaited = OMP_DETACH_AWAITED;
    return __atomic_compare_exchange_n(&task->detach, &awaited, OMP_DETACH_ENDED, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

// Fulfils the event of a detached task. The handle `event` is the address of the task.
OMP_EXPORT void omp_fulfill_event(uintptr_t event) {
    struct omp_task *task = (struct omp_task *)event;
    uint8_t awaited = OMP_DETACH_AWAITED;
    if (__atomic_compare_exchange_n(&task->detach, &awaited, OMP_DETACH_FULFILLED, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return; // the function of the task has not ended yet; the thread that runs it will finish the task
    if (awaited != OMP_DETACH_ENDED) skerry_stop("libgomp: omp_fulfill_event: no detached task waits for this event");
    skerry_sees(task);
    struct omp_thread *self = omp_self();
    skerry_omp_finish(self, task);
    if (self->state.team->level > 0) return;
    // Outside all regions no other thread runs the tasks that waited for this task, so this thread runs them now.
    while (skerry_omp_run_descendant(self, 0)) {
    }
}
