// SPDX-License-Identifier: BSD-3-Clause
// Runs a task as a call, on the thread that makes it, on machines with SKERRY_EVENTS. In a recursion most tasks run in this
// way, so it must take few instructions. near_transfer.h includes this file.
//
// A task that runs as a call has a struct, its *frame*, because it can make children, wait for them, and ask for its own
// properties. But nothing is stored into the frame in the common case:
// * Each explicit task, and each implicit task of a team of one thread, owns a frame for its next child (`spare`). This frame owns the next one, and so on. So a thread uses
//   the same frame at the same depth each time.
// * The frame of the last child that ran as a call still has the words that the next child needs: parent, team, control
//   variables, group. `child` of the parent then points to it. `child` is NULL if a word would have to change, or if a
//   child of this task can need more than a call. GOMP_task makes the frame the current task, calls the function, and makes
//   the parent the current task again.
// * A task that does something of which its end must know sets has_extras: it keeps, transfers or counts a child, has
//   dependences, or has control variables of its own. Then end_frame_slowly ends it.
//
// `child` must be NULL
// * in an implicit task of several threads, whose tasks are put into the queue (near_queue.h),
// * after a change of the task's group or control variables (omp_forget_frame),
// * if the region can be cancelled,
// * in a task whose spare frame another task of the thread has used meanwhile (lend_frames).
// A task whose thread's deque has children of it runs its other children with another mark (call_with_mark). So GOMP_task
// compares the deque with the mark.
#ifndef SKERRY_OMP_NEAR_FRAME_H
#define SKERRY_OMP_NEAR_FRAME_H

#include "children.h"

// The first frame of a chain, for the tasks whose parent is an implicit task of several threads. NULL: none, or in use.
static SKERRY_PER_THREAD struct omp_task *first_frame;

static SKERRY_COLD void reset_frame(const struct omp_thread *self, struct omp_task *task) {
    task->priority = 0;
    task->detach = OMP_DETACH_NONE;
    task->is_explicit = true;
    task->owns_icv = task->has_depends = task->is_constructed = false;
    task->is_from_queue = task->has_extras = false;
    start_task(self, task);
}

// Number of frames that a thread allocates at the same time. A recursion needs one for each level, and an allocation takes some
// 400 cycles, on machines with little memory too.
#define NEW_FRAMES (OMP_TAKES_KEPT ? 4u : 1u)

static SKERRY_COLD struct omp_task *new_frame(struct omp_thread *self) {
    struct omp_task *task = NULL;
    for (uint32_t i = 0; i < NEW_FRAMES; i++) {
        struct omp_task *const spare = task;
        task = omp_block_take(self, sizeof *task);
        task->spare = spare;
        task->parent = NULL;
        reset_frame(self, task);
    }
    return task;
}

// Returns true if a task of the calling thread owns the frame for its next child.
SKERRY_ALWAYS_INLINE bool owns_frames(const struct omp_thread *self, const struct omp_task *task) {
    return task->is_explicit || omp_threads(self) == 1;
}

// Returns the frames for the children of a task that the thread begins while `before` is its current task. The thread
// returns them to `before` by return_frames.
SKERRY_ALWAYS_INLINE struct omp_task *lend_frames(const struct omp_thread *self, struct omp_task *before) {
    if (OMP_LIKELY(!owns_frames(self, before))) {
        struct omp_task *const frames = first_frame;
        first_frame = NULL;
        return frames;
    }
    before->child = NULL;
    return before->spare;
}

// Frees a chain of frames: of a region inside a task, or of an implicit task whose team is freed.
SKERRY_COLD void skerry_omp_free_frames(struct omp_thread *self, struct omp_task *frame) {
    while (frame) {
        struct omp_task *const next = frame->spare;
        omp_block_give(self, &frame->block);
        frame = next;
    }
}

SKERRY_ALWAYS_INLINE void return_frames(struct omp_thread *self, struct omp_task *before, struct omp_task *frames) {
    if (OMP_UNLIKELY(owns_frames(self, before))) before->spare = frames;
    else {
        if (OMP_UNLIKELY(first_frame != NULL)) skerry_omp_free_frames(self, first_frame);
        first_frame = frames;
    }
}

// Stores the words of the frame of a child of `parent`.
SKERRY_ALWAYS_INLINE void prepare_frame(const struct omp_thread *self, struct omp_task *frame, struct omp_task *parent,
                                        struct omp_taskgroup *group) {
    frame->parent = parent;
    frame->team = parent->team;
    frame->group = group;
    frame->icv = parent->icv;
    frame->depth = parent->depth + 1;
    frame->is_final = parent->is_final;
    frame->thread_number = self->state.thread_number;
    frame->child = NULL;
    if (OMP_UNLIKELY(parent->owns_icv)) skerry_omp_copy_icv(frame);
}

static SKERRY_COLD struct omp_task *end_frame_slowly(struct omp_thread *self, struct omp_task *frame);

// Calls the function of a task that runs in `frame`. Afterwards the thread's task is the parent. Returns the frame for the
// next child of this parent.
SKERRY_ALWAYS_INLINE struct omp_task *call_in_frame(omp_function *function, void *data, struct omp_thread *self,
                                                    struct omp_task *frame) {
    self->state.task = frame;
    function(data);
    skerry_compiler_fence();
    self = skerry_omp_self; // loading it again takes less time than keeping it in a register
    if (OMP_UNLIKELY(frame->has_extras)) return end_frame_slowly(self, frame);
    self->state.task = frame->parent;
    return frame;
}

// Does the same with a mark above the tasks in the deque, which are not descendants of this task.
static SKERRY_COLD struct omp_task *call_with_mark(omp_function *function, void *data, struct omp_thread *self,
                                                   struct omp_task *frame) {
    const skerry_word mark = self->state.task_mark;
    self->state.task_mark = self->state.member->deque.bottom;
    frame = call_in_frame(function, data, self, frame);
    self->state.task_mark = mark;
    return frame;
}

// Runs a child of `parent`, the thread's current task, as a call, in all cases in which GOMP_task does not do it.
static __attribute__((noinline)) void run_frame(omp_function *function, void *data, struct omp_thread *self,
                                                struct omp_task *parent, struct omp_taskgroup *group) {
    const bool owns = owns_frames(self, parent);
    struct omp_task *frame = lend_frames(self, parent);
    if (OMP_UNLIKELY(!frame)) frame = new_frame(self);
    // If the frame has the words already, its own `child` stays valid.
    if (frame->parent != parent || frame->group != group || frame->icv != parent->icv || frame->team != parent->team ||
        frame->is_final != parent->is_final || frame->thread_number != self->state.thread_number || parent->owns_icv)
        prepare_frame(self, frame, parent, group);
    if (owns) {
        parent->spare = frame;
        if (group == parent->group && !(parent->owns_icv | self->can_cancel)) parent->child = frame;
    }
    if (OMP_UNLIKELY(self->state.member->deque.bottom != self->state.task_mark))
        frame = call_with_mark(function, data, self, frame);
    else frame = call_in_frame(function, data, self, frame);
    if (OMP_UNLIKELY(!owns)) return_frames(self, parent, frame);
}

#endif
