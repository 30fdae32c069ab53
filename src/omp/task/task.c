// SPDX-License-Identifier: BSD-3-Clause
// Implements explicit tasks. A task either runs at once, as a call on the thread that makes it, or is added to that
// thread's deque. The thread takes the youngest task of its deque; other threads steal the oldest tasks. A task runs at
// once if OpenMP requires it, or if the deque already holds enough tasks for other threads (SHALLOW_DEPTH).
#include "../internal.h"

#include "../sync/wait.h"
#include "../variant/variant.h"
#include "block.h"
#include "children.h"
#include "deque.h"
#include "group.h"
#include "near_queue.h"

_Static_assert(offsetof(struct omp_task, block) == OMP_BLOCK_PLACE, "as in every block");

// The number of tasks in a deque that are enough for other threads. If the parent's depth is below SHALLOW_DEPTH, a new
// task runs at once when the deque has SHALLOW_TASKS tasks. At greater depth DEEP_TASKS tasks are enough. The reason:
// in a recursion the oldest tasks, which other threads steal, contain the most work.
#define SHALLOW_DEPTH 4
#define SHALLOW_TASKS (SKERRY_NEAR_MEMORY ? 16 : 64) // fewer on simulated cores, whose memory is small
#define DEEP_TASKS 4

enum { FLAG_FINAL = 2, FLAG_DEPEND = 8, FLAG_PRIORITY = 16, FLAG_DETACH = 8192 };
#define MAY_DEFER (1u << 31) // a flag of our own

// Returns true if a task of the calling thread's region is cancelled. On machines with SKERRY_NEAR_MEMORY the words that
// say so are in other threads' memories, so they are not read if cancellation is switched off.
SKERRY_ALWAYS_INLINE bool is_discarded(const struct omp_thread *self, const struct omp_task *task) {
#if SKERRY_NEAR_MEMORY
    if (OMP_LIKELY(!self->can_cancel)) return false;
#endif
    (void)self;
    return omp_is_discarded(task);
}

// Functions that are inlined, except on machines with SKERRY_EVENTS. There they run rarely (near_task.h), and the memory for
// code is small.
#if SKERRY_EVENTS
#define USUALLY_INLINE static __attribute__((noinline))
#else
#define USUALLY_INLINE SKERRY_ALWAYS_INLINE
#endif

// -- Beginning and ending ----------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void begin_task(struct omp_task *task, struct omp_task *parent, omp_function *function,
                                     void *data) {
    task->function = function;
    task->data = data;
    task->parent = parent;
    task->team = parent->team;
    task->group = parent->group;
    task->icv = parent->icv;
    task->depth = parent->depth + 1;
    task->priority = 0;
    task->detach = OMP_DETACH_NONE;
    task->is_explicit = true;
    task->is_final = parent->is_final;
    task->owns_icv = false;
    task->has_depends = false;
    task->is_constructed = false;
#if SKERRY_EVENTS
    task->is_from_queue = task->has_extras = false;
#endif
    if (OMP_UNLIKELY(parent->owns_icv)) skerry_omp_copy_icv(task);
}

// Counts a finished task. Notifies the threads that possibly wait for its end: at the end of its task group, in its
// parent, or for a task that depends on it. If the calling thread is outside the task's team, also wakes the threads of
// the team that wait at a barrier. Called for every task that did not run at once.
void skerry_omp_finish(struct omp_thread *self, struct omp_task *task) {
    struct omp_taskgroup *group = task->group;
    struct omp_team *team = task->team;
    const struct omp_task *parent = task->parent;
    const int team_eventcount = team->eventcount;
    // Number of the eventcount (the place to sleep) of the thread that runs the parent. The parent possibly waits for
    // this task. If the calling thread is in the task's team, it wakes no threads at a barrier: it checks afterwards
    // itself whether any task is left (barrier.c).
    int eventcount = parent->eventcount;
    if (OMP_UNLIKELY(task->has_depends)) skerry_omp_release_dependents(self, task);
    skerry_publishes(parent);
    skerry_publishes(&team->arrived); // for the race detector: a barrier sees what this task did
    if (group) omp_group_leave(group);
    bool is_member = self->state.team == team;
    count_off(self, task);
    // The team's count of finished tasks is changed last, because the region can end as soon as the count is changed.
    // The change is a release: a thread that adds up these counts sees everything that the task has stored.
    if (is_member) {
        struct omp_member *member = self->state.member;
        __atomic_store_n(&member->finished, member->finished + 1, __ATOMIC_RELEASE);
    } else {
        __atomic_fetch_add(&team->finished_elsewhere, 1, __ATOMIC_RELEASE);
        skerry_wake(team_eventcount);
    }
    if (eventcount != self->number) skerry_wake(eventcount); // team and parent are possibly freed by now
}

// Frees the task's table of dependences and its own control variables (ICVs). Called after the task's function has
// returned.
SKERRY_ALWAYS_INLINE void end_task(struct omp_thread *self, struct omp_task *task) {
    if (OMP_UNLIKELY(task->addresses != NULL)) skerry_omp_forget_addresses(self, task);
    if (OMP_UNLIKELY(task->owns_icv)) skerry_omp_drop_icv(task);
}

SKERRY_ALWAYS_INLINE void start_task(const struct omp_thread *self, struct omp_task *task) {
    task->made = task->finished_here = task->freed_here = 0;
    task->thread_number = self->state.thread_number;
    task->eventcount = self->number;
    task->has_ended = false;
    task->addresses = NULL;
#if SKERRY_EVENTS
    task->child = NULL;
#endif
}

#if SKERRY_EVENTS // in near_transfer.h and near_frame.h
static void end_kept(struct omp_thread *self, struct omp_task *task);
static struct omp_task *lend_frames(const struct omp_thread *self, struct omp_task *before);
static void return_frames(struct omp_thread *self, struct omp_task *before, struct omp_task *frames);
#endif

USUALLY_INLINE void run_function(struct omp_thread *self, struct omp_task *task) {
    struct omp_task *before = self->state.task;
    skerry_word mark = self->state.task_mark;
    start_task(self, task);
    self->state.task = task;
    self->state.task_mark = self->state.member->deque.bottom;
    omp_close_queue();
#if SKERRY_EVENTS
    task->spare = lend_frames(self, before);
#endif
    task->function(task->data);
    omp_close_queue();
#if SKERRY_EVENTS
    end_kept(self, task);
    return_frames(self, before, task->spare);
#endif
    task->has_ended = true; // set here, because another thread can finish a detached task
    self->state.task = before;
    self->state.task_mark = mark;
    end_task(self, task);
}

static void run_task(struct omp_thread *self, struct omp_task *task) {
    skerry_sees(task);
    if (OMP_UNLIKELY(task->has_depends)) skerry_omp_expect_dependents(task);
    if (OMP_LIKELY(!is_discarded(self, task)) || task->is_constructed) run_function(self, task);
    else start_task(self, task);
    if (OMP_UNLIKELY(__atomic_load_n(&task->detach, __ATOMIC_RELAXED) != OMP_DETACH_NONE) &&
        skerry_omp_is_detached(task))
        return; // the thread that fulfils the event finishes the task
    skerry_omp_finish(self, task);
}

#if SKERRY_EVENTS
static bool run_queued(struct omp_thread *self, bool stays);
static bool run_kept(struct omp_thread *self, struct omp_near *near, struct omp_task *task);
static bool find_any(struct omp_thread *self, struct omp_near *near);
static bool find_descendant(struct omp_thread *self, struct omp_near *near, const struct omp_task *task,
                            uint32_t searches);
#endif

// -- Running what is ready ---------------------------------------------------------------------------------------------

// Runs one task of the region. Returns false if it found no task. A waiting thread is armed (`is_armed` is true) if the
// next step of its wait is to sleep. Normally a thread that has stolen tasks makes a short pause before it steals again
// (field `took`, see ready.c). An armed thread makes no such pause.
bool skerry_omp_run_some_task(struct omp_thread *self, bool is_armed) {
#if SKERRY_NEAR_MEMORY
    (void)is_armed;
#if SKERRY_EVENTS
    struct omp_near *near = &self->state.member->near;
    if ((near->can_transfer && find_any(self, near)) || run_queued(self, true)) return true;
#endif
    if (!__atomic_load_n(&self->state.member->near.has_counted, __ATOMIC_RELAXED)) return false;
    struct omp_task *task = skerry_omp_find_task(self, NULL);
#else
    struct omp_team *team = self->state.team;
    if (is_armed) self->took = 0;
    struct omp_task *task = skerry_omp_find_task(self, NULL);
    // `work` is the team's hint that there are tasks. The thread searches a second time in two cases:
    // * `work` is 1. The thread clears `work`, and searches for the tasks that were made before that.
    // * The thread is armed: it sleeps next. It must search even if `work` is 0. After the first search another thread
    //   possibly cleared `work`, took one of several tasks, and left the others. Without a second search this thread
    //   could sleep although there are tasks. test/model/steal.pml is a model of this protocol.
    if (!task && !self->took && (is_armed || __atomic_load_n(&team->work, __ATOMIC_RELAXED))) {
        // After this store a thread that makes a task, or moves stolen tasks to its own deque, sets `work` to 1 again.
        // The second search finds the tasks that were made before the store.
        __atomic_store_n(&team->work, 0, __ATOMIC_SEQ_CST);
        task = skerry_omp_find_task(self, NULL);
    }
#endif
    if (!task) return false;
    omp_close_for_tasks(self);
    run_task(self, task);
    return true;
}

// Runs a descendant of the current task. Returns false if it found no such task. `searches` is the number of earlier
// searches of this wait, all without success. A search in the deques of other threads takes cache lines away from these
// threads. Most searches therefore use only the thread's own deque.
bool skerry_omp_run_descendant(struct omp_thread *self, uint32_t searches) {
#if SKERRY_EVENTS
    struct omp_near *near = &self->state.member->near;
    struct omp_task *current = self->state.task;
    if (near->maker == current && run_queued(self, false)) return true;
    if (current->is_explicit && run_kept(self, near, current)) return true;
    if (near->can_transfer && find_descendant(self, near, current, searches)) return true;
    if (!__atomic_load_n(&near->has_counted, __ATOMIC_RELAXED)) return false;
#endif
    bool only_own = (SKERRY_NEAR_MEMORY || searches & (searches - 1)) && searches % OMP_POLLS_OF_A_SEARCH &&
                    OMP_LIKELY(OMP_VARIANT(OMP_TASKS) == OMP_TASKS_DEQUE);
    struct omp_task *task = only_own ? omp_deque_take(&self->state.member->deque, self->state.task_mark)
                                     : skerry_omp_find_task(self, self->state.task);
    if (!task) return false;
    omp_close_for_tasks(self);
    run_task(self, task);
    return true;
}

// -- When all are done -------------------------------------------------------------------------------------------------

// Returns the number of unfinished tasks of the region. Usually the result is only an estimate. The result 0 is exact
// if all threads of the team wait at a barrier or have ended the region:
// * The sum of `finished` is read before the sum of `made`. A task is counted in `made` before it can finish. If the
//   sums are equal, there was a moment between the two reads at which no task was left.
// * After that moment no task was made, because only a running task could make another task.
//
// On machines with SKERRY_EVENTS most tasks are counted by counters in hardware instead. They are read first. Only an
// implicit task puts tasks into the queue, and it has ended or waits, so none of these tasks is made later. A transferred
// task is counted before the part of the program that transfers it ends. So if both counters are 0 and no other task was
// made in this region, no task is left: near.has_counted is stored before a task is counted in a member. If other tasks
// were made, one of them can have transferred a task after the counter was read, and have ended. So the counter is read
// again. If no further task was counted in a member meanwhile, none was left at the first sum that a transferred task
// could have made.
static skerry_word tasks_counted(const struct omp_team *team, skerry_word *made) {
    skerry_word finished = __atomic_load_n(&team->finished_elsewhere, __ATOMIC_ACQUIRE);
    *made = 0;
    for (uint32_t i = 0; i < team->threads; i++)
        finished += __atomic_load_n(&omp_member(team, i)->finished, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < team->threads; i++) *made += __atomic_load_n(&omp_member(team, i)->made, __ATOMIC_ACQUIRE);
    return *made - finished;
}

skerry_word skerry_omp_tasks_left(const struct omp_team *team) {
    skerry_word made;
#if SKERRY_EVENTS
    if (team->queue) {
        const skerry_word queued = skerry_event_counter_value(team->unfinished) + OMP_QUEUE_LIMIT(team->threads);
        if (queued) return queued;
    }
    if (team->transferred && skerry_event_counter_value(team->transferred)) return 1;
    if (!__atomic_load_n(&omp_member(team, 0)->near.has_counted, __ATOMIC_ACQUIRE)) return 0;
    const skerry_word left = tasks_counted(team, &made);
    if (left || !team->transferred) return left;
    if (skerry_event_counter_value(team->transferred)) return 1;
    skerry_word made_again;
    return tasks_counted(team, &made_again) || made_again != made;
#else
    return tasks_counted(team, &made);
#endif
}

bool skerry_omp_is_quiet(const struct omp_team *team) {
    return skerry_omp_tasks_left(team) == 0;
}

// Runs tasks of the region until all of them have finished. Then resets the counts of children of the implicit tasks.
// The master (thread 0) calls this function after all other threads have ended the region.
void skerry_omp_finish_tasks(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    omp_close_queue();
    SKERRY_PAUSE(pause);
    while (!skerry_omp_is_quiet(team)) {
        if (skerry_omp_run_some_task(self, skerry_pause_is_armed(&pause))) skerry_pause_again(&pause);
        else skerry_pause(&pause, team->eventcount);
    }
    skerry_sees(&team->arrived);
#if SKERRY_NEAR_MEMORY
    const bool has_counted = self->state.member->near.has_counted;
#endif
#if SKERRY_EVENTS
    const bool has_maker = team->has_maker;
#endif
    for (uint32_t i = 0; i < team->threads; i++) {
#if SKERRY_NEAR_MEMORY
        struct omp_near *near = &omp_member(team, i)->near;
        near->tasks_made = 0;
#if SKERRY_EVENTS
        if (has_maker) near->maker = NULL;
#endif
        if (!has_counted) continue; // then no implicit task has counted children
        near->has_counted = near->has_prioritized = 0;
#endif
        struct omp_task *task = &omp_member(team, i)->implicit;
        task->made = task->finished_here = task->freed_here = 0;
    }
    omp_close_queue();
    omp_close_for_tasks(self);
#if SKERRY_EVENTS
    team->has_maker = 0;
#endif
    __atomic_store_n(&team->tasks_made, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&team->work, 0, __ATOMIC_RELAXED);
}

#if SKERRY_NEAR_MEMORY
// Returns the value of near.tasks_made for a task that the calling thread makes.
SKERRY_ALWAYS_INLINE uint32_t tasks_made_value(const struct omp_thread *self) {
    return (uint32_t)(omp_barriers(self->state.member) + 1) * 2 + 1;
}
#endif

// Records that a task was made in this region. On machines with SKERRY_NEAR_MEMORY (a memory for each core) also stores
// the number of the next barrier into each thread's memory.
static void record_tasks_made(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    __atomic_store_n(&team->tasks_made, 1, __ATOMIC_RELAXED);
    omp_forget_exchange();
#if SKERRY_NEAR_MEMORY
    const uint32_t value = tasks_made_value(self);
    for (uint32_t i = 0; i < omp_threads(self); i++)
        __atomic_store_n(&omp_member(team, i)->near.tasks_made, value, __ATOMIC_RELAXED);
#endif
}

#if SKERRY_NEAR_MEMORY
// Records that a task is counted in a member's `made`, so waiting threads search for tasks in deques.
static SKERRY_COLD void record_counted(struct omp_thread *self) {
    for (uint32_t i = 0; i < omp_threads(self); i++)
        __atomic_store_n(&omp_member(self->state.team, i)->near.has_counted, 1, __ATOMIC_RELAXED);
}
#endif

// -- What compilers call -----------------------------------------------------------------------------------------------

// Runs a task at once, as a call. The task still has a struct of its own, because its children can exist longer than
// the call.
USUALLY_INLINE void run_at_once(struct omp_thread *self, struct omp_task *parent, omp_function *function, void *data,
                                void (*copy)(void *, void *), size_t bytes, size_t alignment, bool is_final) {
    struct omp_task *task = omp_block_take(self, sizeof *task);
    begin_task(task, parent, function, data);
    task->is_final |= is_final;
    if (OMP_UNLIKELY(copy != NULL)) {
        char room[bytes + alignment];
        task->data = (void *)(((uintptr_t)room + alignment - 1) & ~(uintptr_t)(alignment - 1));
        copy(task->data, data);
        run_function(self, task);
    } else run_function(self, task);
    // No thread waits for this task, because the task has ended before the thread that made it continues. If all its
    // children are freed, the parent need not count the task as a child. If not, the parent counts it, because its
    // memory must be kept for the children.
    if (OMP_LIKELY(task->made == task->freed_here)) {
        omp_block_give(self, &task->block);
        return;
    }
    add_child(parent);
    count_off(self, task);
}

USUALLY_INLINE struct omp_task *make_task(struct omp_thread *self, struct omp_task *parent, omp_function *function,
                                          void *data, void (*copy)(void *, void *), size_t bytes, size_t alignment,
                                          void *event) {
    if (alignment < 16) alignment = 16;
    struct omp_task *task = omp_block_take(self, sizeof *task + bytes + alignment - 1);
    void *own = (void *)(((uintptr_t)(task + 1) + alignment - 1) & ~(uintptr_t)(alignment - 1));
    begin_task(task, parent, function, own);
    if (OMP_UNLIKELY(event != NULL)) { // stores the event's handle for the program, and in the data that is copied next
        task->detach = OMP_DETACH_AWAITED;
        *(void **)event = task;
        if (data) *(void **)data = task;
    }
    task->is_constructed = copy != NULL;
    if (copy) copy(own, data);
    else if (SKERRY_NEAR_MEMORY && ((uintptr_t)data | bytes) % sizeof(half_word) == 0) {
        // A loop over words is faster than the function memcpy for the few bytes that most tasks have.
        const half_word *from = data, *const end = from + bytes / sizeof *from;
        for (half_word *to = own; from != end;) *to++ = *from++;
    } else if (bytes) __builtin_memcpy(own, data, bytes);
    return task;
}

// Makes a task. The arguments are those of GOMP_task.
SKERRY_ALWAYS_INLINE void new_task(struct omp_thread *self, omp_function *function, void *data,
                                   void (*copy)(void *, void *), long bytes, long alignment, bool may_defer,
                                   unsigned flags, void **depends, int priority, void *detach) {
    struct omp_task *parent = self->state.task;
    struct omp_team *team = self->state.team;
    if (OMP_UNLIKELY(is_discarded(self, parent))) return;
    bool is_final = flags & FLAG_FINAL;
    bool at_once = !may_defer || parent->is_final || is_final;
    if (OMP_LIKELY(!(flags & (FLAG_DEPEND | FLAG_PRIORITY | FLAG_DETACH)))) {
        uint32_t limit = parent->depth < SHALLOW_DEPTH ? SHALLOW_TASKS : DEEP_TASKS;
        if (at_once || omp_threads(self) == 1 || !omp_deque_has_room(&self->state.member->deque, limit)) {
            run_at_once(self, parent, function, data, copy, (size_t)bytes, (size_t)alignment, is_final);
            return;
        }
    } else if (at_once) {
        if (flags & FLAG_DEPEND) skerry_omp_await(self, depends);
        if (!(flags & FLAG_DETACH)) {
            run_at_once(self, parent, function, data, copy, (size_t)bytes, (size_t)alignment, is_final);
            return;
        }
    }
    struct omp_task *task = make_task(self, parent, function, data, copy, (size_t)bytes, (size_t)alignment,
                                      flags & FLAG_DETACH ? detach : NULL);
    task->is_final |= is_final;
    if (flags & FLAG_PRIORITY) {
        task->priority =
            priority < skerry_omp_device.max_task_priority ? priority : skerry_omp_device.max_task_priority;
        if (task->priority < 0) task->priority = 0;
    }
    struct omp_member *member = self->state.member;
    add_child(parent);
    if (task->group) omp_group_enter(task->group);
#if SKERRY_NEAR_MEMORY
    if (OMP_UNLIKELY(!__atomic_load_n(&member->near.has_counted, __ATOMIC_RELAXED))) record_counted(self);
#endif
    // `made` is stored before any thread can finish the task, because skerry_omp_tasks_left relies on this order.
    __atomic_store_n(&member->made, member->made + 1, __ATOMIC_RELEASE);
    if (OMP_UNLIKELY(!omp_knows_of_tasks(self))) record_tasks_made(self);
    if (flags & FLAG_DEPEND) skerry_publishes(task); // another thread can make the task ready
    if ((flags & FLAG_DEPEND) && !at_once && !skerry_omp_depend(self, task, depends)) return;
    if (OMP_UNLIKELY(at_once)) { // a detached task that must run at once: waits until its event is fulfilled
        run_task(self, task);
        GOMP_taskwait();
        return;
    }
    // The task is ready. If the deque contains enough tasks for other threads, this thread runs the task now. A thread
    // outside all regions also runs the task now: no other thread could run the task, and no end of a region would wait
    // for it.
    bool is_enough = !task->priority && !omp_deque_has_room(&member->deque, SHALLOW_TASKS);
    if (is_enough || ((!SKERRY_NEAR_MEMORY || omp_threads(self) == 1) && team->level == 0)) run_task(self, task);
    else skerry_omp_make_ready(self, task);
}

#if SKERRY_EVENTS
static void await_children(void);
#include "near_task.h"
#else
OMP_EXPORT void GOMP_task(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                          bool may_defer, unsigned flags, void **depends, int priority, void *detach) {
    new_task(omp_self(), function, data, copy, bytes, alignment, may_defer, flags, depends, priority, detach);
}
#endif

#if SKERRY_EVENTS
static __attribute__((noinline)) void await_children(void) {
#else
OMP_EXPORT void GOMP_taskwait(void) {
#endif
    struct omp_thread *self = omp_self();
    struct omp_task *task = self->state.task;
    omp_close_queue();
    OMP_RUN_DESCENDANTS_UNTIL(self, !has_children(self, task));
    skerry_sees(task);
}

#if SKERRY_EVENTS
// In the common cases there is nothing to wait for, or a kept task to run. An implicit task has no kept tasks.
OMP_EXPORT void GOMP_taskwait(void) {
    struct omp_thread *self = skerry_omp_self;
    if (OMP_LIKELY(self != NULL)) {
        struct omp_task *task = self->state.task;
        if (OMP_LIKELY(!task->has_extras)) return;
        if (omp_has_kept(&self->state.member->near, task) || (OMP_TAKES_KEPT && task->is_explicit)) {
            await_kept(self);
            return;
        }
    }
    await_children();
}
#endif

OMP_EXPORT void GOMP_taskwait_depend(void **depends) {
    skerry_omp_await(omp_self(), depends);
}

OMP_EXPORT void GOMP_taskyield(void) {
    struct omp_thread *self = omp_self();
    if (omp_knows_of_tasks(self)) skerry_omp_run_descendant(self, 0);
}
