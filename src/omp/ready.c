// SPDX-License-Identifier: BSD-3-Clause
// Tasks that are ready to run: where a thread puts them, which threads it notifies, and where a thread searches for
// one. A thread takes first a task of the priority queue, then the youngest of its own deque, then the oldest of
// another thread's.
#include "deque.h"
#include "group.h"
#include "variant.h"

// Wakes sleeping threads for a new task, at most as many as there are processors: first those at a barrier, which may
// run any task. The threads that wait for this very task might be the only ones that may run it: skerry_omp_make_ready
// wakes these.
static void notify_some(struct omp_team *team) {
    __atomic_store_n(&team->work, 1, __ATOMIC_RELEASE);
    skerry_compiler_fence();
    int left = skerry_processors();
    left -= skerry_wake_n(team->eventcount, left);
    for (uint32_t i = 1; i < team->threads && left > 0; i++)
        left -= skerry_wake_n(team->members[i].thread->number, left);
}

// Notifies the team after a task was added where other threads may take it.
SKERRY_ALWAYS_INLINE void notify(struct omp_team *team) {
    if (OMP_UNLIKELY(!__atomic_load_n(&team->work, __ATOMIC_RELAXED))) notify_some(team);
}

void skerry_omp_notify_all(struct omp_team *team) {
    __atomic_store_n(&team->work, 1, __ATOMIC_RELEASE);
    skerry_compiler_fence();
    skerry_wake(team->eventcount);
    for (uint32_t i = 1; i < team->threads; i++) skerry_wake(team->members[i].thread->number);
}

void skerry_omp_make_ready(struct omp_thread *self, struct omp_task *task) {
    struct omp_team *team = task->team;
    bool is_member = self->state.team == team;
    // The eventcounts of the threads that wait for the task. They are read before the task is ready, because it may be
    // freed afterwards.
    const int32_t parent_eventcount = task->parent->eventcount,
                  group_eventcount = task->group ? task->group->eventcount : parent_eventcount;
    skerry_publishes(task);
    if (OMP_UNLIKELY(skerry_omp_variants.tasks != OMP_TASKS_DEQUE)) {
        if (task->priority || !skerry_omp_tasks_add(self, task)) skerry_omp_priority_add(team, task);
        skerry_omp_notify_all(team); // its thread may sleep inside a task, where it polls no hint
        return;
    }
    if (is_member && task->priority == 0 && omp_deque_has_room(&self->state.member->deque, OMP_DEQUE_LIMIT))
        omp_deque_add(&self->state.member->deque, task);
    else skerry_omp_priority_add(team, task);
    notify(team);
    if (parent_eventcount != self->number) skerry_wake(parent_eventcount);
    if (group_eventcount != self->number) skerry_wake(group_eventcount);
}

// -- Finding -----------------------------------------------------------------------------------------------------------

// The rule by which a waiting thread may run a task now.
struct choice {
    const struct omp_thread *self;
    const struct omp_task *ancestor; // NULL: any task of the region
};

static bool may_run(const struct omp_task *task, void *given) {
    const struct choice *choice = given;
    const struct omp_task *ancestor = choice->ancestor;
    // A thread at its mailbox may be late: the task may belong to the next region, whose descriptor has then arrived.
    if (!ancestor) return __atomic_load_n(&choice->self->box.number, __ATOMIC_ACQUIRE) == choice->self->regions;
    while (task->depth > ancestor->depth + 1) task = task->parent;
    return task->parent == ancestor;
}

// A steal costs the thief and the owner some hundred nanoseconds each. So a thief rests before its next steal if its
// last steal batch kept it busy for a short time only. It rests longer each time, while the owner's deque fills (bench
// omp, master task).
#define WORTHWHILE_NANOSECONDS 1500 // shortest work of a steal batch without a rest after it
#define REST_NANOSECONDS 1000
#define REST_DOUBLINGS 4

static bool is_resting(struct omp_thread *self) {
    if (!self->took) return false;
    uint64_t now = skerry_nanoseconds();
    if (self->took_at) { // first search after a steal
        bool was_worthwhile = now - self->took_at > WORTHWHILE_NANOSECONDS;
        self->rest = was_worthwhile ? 0 : self->rest < REST_DOUBLINGS ? self->rest + 1 : REST_DOUBLINGS;
        self->rest_until = was_worthwhile ? 0 : now + ((uint64_t)REST_NANOSECONDS << self->rest);
        self->took_at = 0;
    }
    if (now < self->rest_until) return true;
    self->took = 0;
    return false;
}

// In a large team a search tries so many threads only. The next search goes on from there.
#define VICTIMS_MAX 256

static struct omp_task *steal(struct omp_thread *self, struct choice *choice) {
    struct omp_team *team = self->state.team;
    uint32_t victims = team->threads < VICTIMS_MAX ? team->threads : VICTIMS_MAX;
    struct omp_task *tasks[OMP_CATCH_MAX];
    uint32_t most = omp_deque_has_room(&self->state.member->deque, OMP_DEQUE_LIMIT - OMP_CATCH_MAX) ? OMP_CATCH_MAX : 1;
    for (uint32_t i = 0; i < victims; i++) {
        uint32_t victim = self->victim + i;
        while (victim >= team->threads) victim -= team->threads;
        if (victim == self->state.thread_number) continue;
        uint32_t count = omp_deque_steal(&team->members[victim].deque, tasks, most, may_run, choice);
        if (!count) continue;
        self->victim = victim;
        self->took = 1;
        self->took_at = skerry_nanoseconds();
        // A third thread may steal the other tasks from this deque. The oldest is at the top, as before.
        for (uint32_t j = 1; j < count; j++) omp_deque_add(&self->state.member->deque, tasks[j]);
        return tasks[0];
    }
    if (victims < team->threads) self->victim = (self->victim + victims) % team->threads;
    return NULL;
}

struct omp_task *skerry_omp_find_task(struct omp_thread *self, const struct omp_task *ancestor) {
    struct choice choice = {self, ancestor};
    struct omp_team *team = self->state.team;
    struct omp_task *task = NULL;
    if (OMP_UNLIKELY(__atomic_load_n(&team->prioritized, __ATOMIC_RELAXED)))
        task = skerry_omp_priority_take(team, may_run, &choice);
    if (OMP_UNLIKELY(skerry_omp_variants.tasks != OMP_TASKS_DEQUE))
        return task ? task : skerry_omp_tasks_take(self, may_run, &choice);
    if (!task) task = omp_deque_take(&self->state.member->deque, self->state.task_mark);
    if (!task && team->threads > 1 && !is_resting(self)) task = steal(self, &choice);
    return task;
}
