// SPDX-License-Identifier: BSD-3-Clause
// Manages the tasks that are ready to run: adds them to a deque or to the priority queue, notifies other threads, and
// searches for a task to run. A thread searches in this order: the team's priority queue, the youngest task of its own
// deque, the oldest tasks of another thread's deque.
#include "../variant/variant.h"
#include "deque.h"
#include "group.h"

// Wakes sleeping threads for a new task, but at most as many threads as there are processors. First wakes threads that
// sleep at a barrier, because such threads are allowed to run any task. Then wakes threads that sleep inside a task.
// Possibly none of the woken threads is allowed to run the new task, because they wait inside other tasks.
// skerry_omp_make_ready therefore also wakes the threads that wait for the new task.
static void notify_some(struct omp_team *team) {
    __atomic_store_n(&team->work, 1, __ATOMIC_RELEASE);
    skerry_compiler_fence();
    if (!skerry_has_sleepers()) return;
    int left = skerry_processors();
    left -= skerry_wake_n(team->eventcount, left);
    for (uint32_t i = 1; i < team->threads && left > 0; i++)
        left -= skerry_wake_n(omp_member(team, i)->thread->number, left);
}

// Notifies waiting threads of the team that a task was added to a deque or queue from which they can take it. Waiting
// threads search for tasks while the team's word `work` is 1, so this function does nothing if `work` is already 1.
SKERRY_ALWAYS_INLINE void notify(struct omp_team *team) {
    if (SKERRY_NEAR_MEMORY) return; // the threads poll `searches`
    if (OMP_UNLIKELY(!__atomic_load_n(&team->work, __ATOMIC_RELAXED))) notify_some(team);
}

void skerry_omp_notify_all(struct omp_team *team) {
    __atomic_store_n(&team->work, 1, __ATOMIC_RELEASE);
    skerry_compiler_fence();
    skerry_wake(team->eventcount);
    for (uint32_t i = 1; i < team->threads; i++) skerry_wake(omp_member(team, i)->thread->number);
}

void skerry_omp_make_ready(struct omp_thread *self, struct omp_task *task) {
    struct omp_team *team = task->team;
    bool is_member = self->state.team == team;
    // Two threads possibly wait for the task: the thread that runs the task's parent, and a thread at the end of the
    // task group. The task can run, and be freed, as soon as it is ready. The eventcounts (the places where these two
    // threads sleep) are therefore read before.
    const int32_t parent_eventcount = task->parent->eventcount,
                  group_eventcount = task->group ? task->group->eventcount : parent_eventcount;
    skerry_publishes(task);
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_TASKS) != OMP_TASKS_DEQUE)) {
        if (task->priority || !skerry_omp_tasks_add(self, task)) skerry_omp_priority_add(team, task);
        // If each thread has a queue of its own, only one thread can take this task. This thread possibly sleeps inside
        // another task, where it does not poll `work`. Therefore all threads of the team are woken.
        skerry_omp_notify_all(team);
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

// Describes the tasks that a waiting thread is allowed to run. Argument of may_run.
struct choice {
    const struct omp_thread *self;
    const struct omp_task *ancestor; // only descendants of this task; NULL: any task of the region
};

static bool may_run(const struct omp_task *task, void *given) {
    const struct choice *choice = given;
    const struct omp_task *ancestor = choice->ancestor;
    // A thread that waits for its next region can find a task that already belongs to that region. If the descriptor
    // (function and data) of that region is in the thread's mailbox, the thread must first begin its own part. If not,
    // the thread is allowed to run the task: a task has its own data and control variables, and the counts of tasks are
    // not reset between regions.
    if (!ancestor) return !omp_has_descriptor(choice->self);
    while (task->depth > ancestor->depth + 1) task = task->parent;
    return task->parent == ancestor;
}

// A steal costs some hundred nanoseconds, both for the thief (the thread that steals) and for the owner of the deque.
// If the stolen tasks keep the thief busy for a short time only, the thief rests: it does not steal for some time, and
// the owner's deque fills. Each further such steal doubles the time of the rest. The values were measured by the
// benchmark task_master of bench/openmp.
#define WORTHWHILE_NANOSECONDS 1500 // after a steal batch that took longer, the thief does not rest
#define REST_NANOSECONDS 1000
#define REST_DOUBLINGS 4

static bool is_resting(struct omp_thread *self) {
    if (SKERRY_NEAR_MEMORY || !self->took) return false;
    uint64_t now = skerry_nanoseconds();
    if (self->took_at) { // this is the first search after a steal
        bool was_worthwhile = now - self->took_at > WORTHWHILE_NANOSECONDS;
        self->rest = was_worthwhile ? 0 : self->rest < REST_DOUBLINGS ? self->rest + 1 : REST_DOUBLINGS;
        self->rest_until = was_worthwhile ? 0 : now + ((uint64_t)REST_NANOSECONDS << self->rest);
        self->took_at = 0;
    }
    if (now < self->rest_until) return true;
    self->took = 0;
    return false;
}

// Largest number of threads from which a thread tries to steal in one search. In a larger team the next search begins
// with the thread after the last one that was tried.
#define VICTIMS_MAX (SKERRY_NEAR_MEMORY ? 1 : 256)

static struct omp_task *steal(struct omp_thread *self, struct choice *choice) {
    struct omp_team *team = self->state.team;
    uint32_t victims = team->threads < VICTIMS_MAX ? team->threads : VICTIMS_MAX;
    struct omp_task *tasks[OMP_STEAL_MAX];
    uint32_t most = omp_deque_has_room(&self->state.member->deque, OMP_DEQUE_LIMIT - OMP_STEAL_MAX) ? OMP_STEAL_MAX : 1;
    for (uint32_t i = 0; i < victims; i++) {
        uint32_t victim = self->victim + i;
        while (victim >= team->threads) victim -= team->threads;
        if (victim == self->state.thread_number) continue;
        struct omp_deque *deque = &omp_member(team, victim)->deque;
        uint32_t count = omp_deque_steal(deque, tasks, most, may_run, choice);
        // This thread runs tasks[0]. It adds the other stolen tasks to its own deque, from which other threads can
        // steal them. The order is the same as in the victim's deque: the oldest task is at the top.
        for (uint32_t j = 1; j < count; j++) omp_deque_add(&self->state.member->deque, tasks[j]);
        // During this steal another thread possibly searched both deques and found no task: the victim's deque was
        // locked, and the stolen tasks were in neither deque. That thread has possibly cleared `work`, and will soon
        // sleep. If tasks are left in one of the two deques, this thread therefore notifies the team again.
        // test/model/steal.pml is a model of this protocol.
        if (count > 1 || !omp_deque_is_empty(deque)) notify(team);
        if (!count) continue;
        self->victim = victim;
        if (!SKERRY_NEAR_MEMORY) {
            self->took = 1;
            self->took_at = skerry_nanoseconds();
        }
        return tasks[0];
    }
    if (victims < team->threads) self->victim = (self->victim + victims) % team->threads;
    return NULL;
}

// Returns false if the priority queue is empty for sure. On machines with SKERRY_NEAR_MEMORY this takes no load from
// another core's memory.
SKERRY_ALWAYS_INLINE bool may_have_prioritized(const struct omp_thread *self) {
#if SKERRY_NEAR_MEMORY
    return __atomic_load_n(&self->state.member->near.has_prioritized, __ATOMIC_RELAXED);
#else
    (void)self;
    return true;
#endif
}

struct omp_task *skerry_omp_find_task(struct omp_thread *self, const struct omp_task *ancestor) {
    struct choice choice = {self, ancestor};
    struct omp_team *team = self->state.team;
    struct omp_task *task = NULL;
    if (OMP_UNLIKELY(may_have_prioritized(self) && __atomic_load_n(&team->prioritized, __ATOMIC_RELAXED)))
        task = skerry_omp_priority_take(team, may_run, &choice);
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_TASKS) != OMP_TASKS_DEQUE))
        return task ? task : skerry_omp_tasks_take(self, may_run, &choice);
    if (!task) task = omp_deque_take(&self->state.member->deque, self->state.task_mark);
    if (!task && team->threads > 1 && !is_resting(self)) task = steal(self, &choice);
    return task;
}
