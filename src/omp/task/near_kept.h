// SPDX-License-Identifier: BSD-3-Clause
// The task that a thread keeps for other threads (struct omp_kept), and tasks that came from other threads, on machines
// with SKERRY_EVENTS. There are two protocols by which a kept task gets to another thread. On machines whose cores share one
// memory, threads without tasks take it (near_steal.h). On machines with a memory for each core the thread transfers it to
// threads that ask (near_transfer.h). Each of these files includes this file.
#ifndef SKERRY_OMP_NEAR_KEPT_H
#define SKERRY_OMP_NEAR_KEPT_H

#include "near_frame.h"
#include "near_queue.h"

#define ORPHAN ((struct omp_task *)1) // `parent` of a report for which no task waits

// Gives up the reports of the task's transferred children that have not ended.
static SKERRY_COLD void forget_transferred(struct omp_near *near, struct omp_task *task) {
    for (uint32_t i = 0; i < near->reports_end; i++) {
        struct omp_task *parent = task;
        if (__atomic_load_n(&near->reports[i].parent, __ATOMIC_RELAXED) != parent) continue;
        __atomic_compare_exchange_n(&near->reports[i].parent, &parent, ORPHAN, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
    }
}

// -- The kept task -----------------------------------------------------------------------------------------------------

// Takes the thread's kept task for the thread itself. Returns false if another thread has taken it.
SKERRY_ALWAYS_INLINE bool take_back(struct omp_near *near) {
#if OMP_TAKES_KEPT
    struct omp_kept *const kept = &near->kept;
    // A thread that has taken the task possibly puts it back (near_steal.h). So this thread waits until it is decided.
    uint32_t state = kept->state;
    if (state == OMP_KEPT_PRIVATE) return true;
    do state = __atomic_fetch_and(&kept->state, ~OMP_KEPT_FREE, __ATOMIC_ACQUIRE);
    while (state == OMP_KEPT_TAKEN);
    if (state != OMP_KEPT_FULL) return false;
    __atomic_fetch_and(near->published, ~kept->bit, __ATOMIC_RELAXED);
    return true;
#else
    (void)near;
    return true;
#endif
}

// Runs the thread's kept task if it is a child of `task`, the current task. Returns false otherwise.
static bool run_kept(struct omp_thread *self, struct omp_near *near, struct omp_task *task) {
    if (!omp_has_kept(near, task)) return false;
    struct omp_kept *const kept = &near->kept;
    if (!take_back(near)) return false;
    struct omp_item_data data; // a copy, because the place is used again while the task runs
    omp_copy_item_data(&data, &kept->data);
    omp_function *const function = kept->function;
    struct omp_taskgroup *const group = kept->group;
#if OMP_TAKES_KEPT
    const bool is_counted = kept->is_counted;
    if (kept->report) kept->report->parent = NULL;
#endif
    kept->state = OMP_KEPT_NONE;
    struct omp_task *const frame = task->child;
    if (OMP_LIKELY(frame && frame->group == group && self->state.member->deque.bottom == self->state.task_mark))
        call_in_frame(function, &data, self, frame);
    else run_frame(function, &data, self, task, group);
    if (OMP_UNLIKELY(group != NULL)) omp_group_leave(group);
#if OMP_TAKES_KEPT
    if (OMP_UNLIKELY(is_counted)) skerry_event_counter_add(near->transferred, UINT32_MAX);
#endif
    return true;
}

// Ends a task that ran as a call and has has_extras. If it has left a kept child, this becomes a child of its parent, which
// then waits for more than it needs to. If the parent is an implicit task the kept child runs now, because an implicit task
// has no kept child. Returns the frame for the parent's next child.
static SKERRY_COLD struct omp_task *end_frame_slowly(struct omp_thread *self, struct omp_task *frame) {
    struct omp_near *const near = &self->state.member->near;
    struct omp_task *const parent = frame->parent;
    if (!parent->is_explicit) {
        while (run_kept(self, near, frame)) {
        }
    } else {
        if (omp_has_kept(near, frame)) {
            near->kept.parent = parent; // also if another thread is about to take it
            omp_note_extras(parent);
        }
    }
    forget_transferred(near, frame);
    frame->has_ended = true;
    end_task(self, frame);
    self->state.task = parent;
    if (frame->made == frame->freed_here) {
        struct omp_task *const child = frame->child;
        reset_frame(self, frame);
        frame->child = child;
        if (OMP_UNLIKELY(!frame->icv)) omp_forget_frame(parent); // it had its own control variables
        return frame;
    }
    struct omp_task *const next = frame->spare;
    if (owns_frames(self, parent)) {
        parent->spare = next;
        parent->child = NULL;
    }
    add_child(parent);
    count_off(self, frame);
    return next;
}

// Runs the task that the thread has kept in its current task, and then waits for the task's other children. If that is all
// for which the task has has_extras, it is a simple task again.
static __attribute__((noinline)) void await_kept(struct omp_thread *self) {
    struct omp_task *const task = self->state.task;
    struct omp_near *const near = &self->state.member->near;
    while (run_kept(self, near, task)) {
    }
    if (has_children(self, task)) await_children();
    if (task->is_explicit && !task->made && !task->addresses && !task->owns_icv) task->has_extras = false;
}

// Runs the task that the thread has kept in a task that ends.
static void end_kept(struct omp_thread *self, struct omp_task *task) {
    struct omp_near *near = &self->state.member->near;
    if (OMP_LIKELY(!task->has_extras)) return;
    while (run_kept(self, near, task)) {
    }
    forget_transferred(near, task);
}

// Returns true if the data of a task can be kept or sent.
SKERRY_ALWAYS_INLINE bool fits(const void *data, unsigned long bytes, unsigned long alignment) {
    return bytes <= sizeof(struct omp_item_data) && alignment <= 8 && ((uintptr_t)data | bytes) % sizeof(uint32_t) == 0;
}

// Returns a report that stands for no task. NULL: there is none.
static struct omp_report *free_report(struct omp_near *near) {
    for (uint32_t i = 0; i < OMP_TRANSFERS; i++) {
        if (__atomic_load_n(&near->reports[i].parent, __ATOMIC_RELAXED)) continue;
        if (near->reports_end <= i) near->reports_end = i + 1;
        return &near->reports[i];
    }
    return NULL;
}

// Keeps a task for later. The thread must have no kept task, and the data must fit. Counts the task as transferred if
// is_counted is true (near_steal.h).
SKERRY_ALWAYS_INLINE void keep(struct omp_near *near, struct omp_task *parent, omp_function *function, const void *data,
                               unsigned long bytes, bool is_counted) {
    struct omp_kept *const kept = &near->kept;
    (void)is_counted;
#if OMP_TAKES_KEPT
    kept->report = NULL; // publish_kept takes one
    kept->base = near->base;
    kept->root = near->root;
    kept->is_counted = is_counted;
    if (is_counted) skerry_event_counter_add(near->transferred, 1);
#endif
    kept->function = function;
    kept->parent = parent;
    kept->group = parent->group;
    uint32_t *to = kept->data.words;
    const uint32_t *from = (const uint32_t *)data, *const end = from + bytes / sizeof(uint32_t);
    while (from != end) *to++ = *from++;
    if (OMP_UNLIKELY(parent->group != NULL)) omp_group_enter(parent->group);
    omp_note_extras(parent);
    kept->state = OMP_KEPT_PRIVATE;
}

// The same as a function, for callers that run rarely.
static SKERRY_COLD void keep_slowly(struct omp_near *near, struct omp_task *parent, omp_function *function,
                                    const void *data, unsigned long bytes, bool is_counted) {
    keep(near, parent, function, data, bytes, is_counted);
}

#if OMP_TAKES_KEPT
// Returns the same as free_report, in few instructions if the first report is free.
SKERRY_ALWAYS_INLINE struct omp_report *first_free_report(struct omp_near *near) {
    if (OMP_UNLIKELY(__atomic_load_n(&near->reports[0].parent, __ATOMIC_RELAXED) != NULL)) return free_report(near);
    if (!near->reports_end) near->reports_end = 1;
    return &near->reports[0];
}

// Lets other threads take the kept task, for which a report stands.
SKERRY_ALWAYS_INLINE void publish_again(struct omp_near *near) {
    __atomic_store_n(&near->kept.state, OMP_KEPT_FULL, __ATOMIC_RELEASE);
    __atomic_fetch_or(near->published, near->kept.bit, __ATOMIC_RELAXED);
}

// Lets other threads take the thread's kept task. If there is no report for it, the thread runs it itself later.
SKERRY_ALWAYS_INLINE void publish_kept(struct omp_near *near) {
    struct omp_report *const report = first_free_report(near);
    if (OMP_UNLIKELY(!report)) return;
    struct omp_kept *const kept = &near->kept;
    report->receiver = NULL;
    report->parent = kept->parent;
    kept->report = report;
    kept->ancestors = near->ancestors + kept->parent->depth;
    publish_again(near);
}
#endif

// -- Running a task of another thread ----------------------------------------------------------------------------------

// Sets the words of a task struct for tasks from other threads that are the same for all of them.
SKERRY_ALWAYS_INLINE void prepare_foreign(const struct omp_thread *self, struct omp_task *task) {
    task->data = task + 1;
    task->parent = &self->state.member->implicit;
    task->team = self->state.team;
    task->depth = 1;
    task->priority = 0;
    task->detach = OMP_DETACH_NONE;
    task->is_explicit = true;
    task->is_final = task->owns_icv = task->has_depends = task->is_constructed = false;
    task->is_from_queue = true;
    task->has_extras = false;
    start_task(self, task);
}

// The thread's task struct for its next task from another thread. NULL: none, or in use. It is kept, because a new block of
// memory takes long if all threads need one at the same time.
static SKERRY_PER_THREAD struct omp_task *kept_foreign;

static struct omp_task *new_foreign(struct omp_thread *self) {
    struct omp_task *task = kept_foreign;
    if (OMP_UNLIKELY(task == NULL)) task = omp_block_take(self, sizeof *task + sizeof(struct omp_item_data));
    kept_foreign = NULL;
    task->spare = NULL;
    prepare_foreign(self, task);
    return task;
}

SKERRY_ALWAYS_INLINE void keep_foreign(struct omp_thread *self, struct omp_task *task) {
    if (OMP_LIKELY(kept_foreign == NULL)) kept_foreign = task;
    else omp_block_give(self, &task->block);
}

// Ends a task from another thread that has made children, has a table of dependences, or has control variables of its own.
// If children are left, the last of them frees the task's memory as in count_off. Returns a prepared task.
static SKERRY_COLD struct omp_task *end_foreign_slowly(struct omp_thread *self, struct omp_near *near,
                                                       struct omp_task *task) {
    if (task->has_extras) forget_transferred(near, task);
    task->has_ended = true;
    end_task(self, task);
    const uint32_t left = task->made - task->freed_here;
    struct omp_task *const frames = task->spare;
    if (left &&
        (uint32_t)(__atomic_fetch_sub(&task->elsewhere, (uint64_t)left << 32, __ATOMIC_ACQ_REL) >> 32) != left) {
        task = new_foreign(self);
        task->spare = frames;
        return task;
    }
    prepare_foreign(self, task);
    return task;
}

// Makes a prepared task the thread's current one.
SKERRY_ALWAYS_INLINE void enter_foreign(struct omp_thread *self, struct omp_task *task) {
    self->state.task = task;
    self->state.task_mark = self->state.member->deque.bottom;
    task->icv = team_icv(self);
}

// Does all that is to do if the task that has run is not the simplest one. Returns a task that is the current one.
static SKERRY_COLD struct omp_task *leave_foreign(struct omp_thread *self, struct omp_near *near,
                                                  struct omp_task *task) {
    while (run_kept(self, near, task)) {
    }
    if (task->group) omp_group_leave(task->group);
    if (task->has_extras) task = end_foreign_slowly(self, near, task);
    enter_foreign(self, task);
    return task;
}

// Runs the current task, which another thread has made, and the tasks that the thread has kept in it. Returns a task that
// is the current one. Several tasks can run in the same struct, one after the other. The caller restores the thread's
// state.
SKERRY_ALWAYS_INLINE struct omp_task *run_foreign(struct omp_thread *self, struct omp_near *near, struct omp_task *task,
                                                  omp_function *function) {
    function(task + 1);
    if (OMP_UNLIKELY(task->has_extras || task->group)) task = leave_foreign(self, near, task);
    return task;
}

// Runs a task that another thread has made. The task that runs now continues afterwards.
static SKERRY_COLD void run_transferred(struct omp_thread *self, struct omp_near *near, omp_function *function,
                                        struct omp_taskgroup *group, const struct omp_item_data *data,
                                        struct omp_report *report, const struct omp_task *root, uint32_t ancestors) {
    struct omp_task *const before = self->state.task;
    const skerry_word mark = self->state.task_mark;
    struct omp_report *const base = near->base;
    struct omp_task *task = new_foreign(self);
    task->group = group;
    task->spare = lend_frames(self, before);
    omp_copy_item_data((struct omp_item_data *)(task + 1), data);
    near->base = report;
#if OMP_TAKES_KEPT
    const struct omp_task *const root_before = near->root;
    const uint32_t ancestors_before = near->ancestors;
    near->root = root;
    near->ancestors = ancestors;
#else
    (void)root;
    (void)ancestors;
#endif
    enter_foreign(self, task);
    task = run_foreign(self, near, task, function);
    near->base = base;
#if OMP_TAKES_KEPT
    near->root = root_before;
    near->ancestors = ancestors_before;
#endif
    skerry_event_complete_stores();
    __atomic_store_n(&report->parent, NULL, __ATOMIC_RELAXED);
    skerry_event_counter_add(near->transferred, UINT32_MAX);
    return_frames(self, before, task->spare);
    keep_foreign(self, task);
    self->state.task = before;
    self->state.task_mark = mark;
}

// Returns true if a task that `task` has transferred has not ended.
static SKERRY_COLD bool awaits_transferred(struct omp_near *near, struct omp_task *task) {
    uintptr_t any = 0;
    for (uint32_t i = 0; i < near->reports_end; i++) {
        const struct omp_task *parent = __atomic_load_n(&near->reports[i].parent, __ATOMIC_ACQUIRE);
        if (parent == task) return true;
        any |= (uintptr_t)parent;
    }
    if (!any) near->reports_end = 0;
    return false;
}

#endif
