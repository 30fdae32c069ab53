// SPDX-License-Identifier: BSD-3-Clause
// Transfers tasks from threads that make them inside tasks to threads that have none, on machines with SKERRY_EVENTS.
// The method is that of work stealing with private deques (Acar, Charguéraud and Rainey 2013). A thread keeps one of the
// tasks that it makes (struct omp_kept), and runs all others at once, as calls. Only the thread itself accesses the kept
// task, so it needs no lock and no fence. A thread without tasks asks some other threads for one. A thread that is asked
// transfers its kept task when it makes its next task: in a recursion the oldest task contains the most work. It does not
// transfer the task that it has just made, because otherwise it would soon have to ask others.
// near_task.h includes this file.
//
// The words of struct omp_near that belong to this protocol, and their writers:
//     kept       the kept task: the thread itself. Its parent is the current task of the thread or a task around it.
//     askers, base_wanted, wanted   `askers` has the threads that ask this one. Each of its words is written by one other
//                thread, and set to NULL by this thread. base_wanted is 1 if a suspended thread asks (below). `wanted` is
//                stored after one of these, and says that this thread must look at them. This thread stores 0. If a
//                request is lost by this, the other thread asks again.
//     is_open    1: the thread takes any task. The thread stores 1. Another thread exchanges it with 0; if that gets 1,
//                it has reserved this thread, and must send a task. This thread also exchanges it with 0 before it does
//                something else; if that gets 0, it waits for the task of the thread that has reserved it.
//     open_word  the word is_open that is possibly 1; NULL: none. At most one is.
//     received   the task that a thread that has reserved this one sends. `is_full` is stored last. All its words are in
//                one memory, so they arrive in this order.
//     reports    one for each task that this thread has transferred and that has not ended. This thread stores `parent`
//                when it transfers the task, and the thread that has run the task stores NULL, after a fence. A taskwait
//                waits until no report names its task. A task that ends before its transferred children changes their
//                reports to ORPHAN, by compare-swap, because the other thread stores NULL at any time.
//     base       the report for the task that this thread runs for another thread; NULL: it runs no such task
//
// A thread is suspended if its current task waits for its children. OpenMP allows it to run only descendants of that
// task. So it asks only a thread that runs one of these children, and opens the word is_open of that child's report. Only
// the thread for whose task this report is uses that word (`base`). This is leapfrogging (Wagner and Calder 1993). A thread
// begins a task of another thread only when it has no kept task: a suspended thread has transferred a child of its task,
// and before that all older kept tasks. So all tasks that it keeps later are descendants of that task.
//
// A thread that has been reserved runs the task as soon as it arrives. A thread runs a kept task at the latest when the
// task that made it waits or ends, or when that task's parent does. So no task waits for a thread that waits for another
// task.
//
// Counting. The counter `transferred`, in hardware near the master, is the number of tasks of the team that were
// transferred and have not ended. The thread that transfers a task adds 1 before it reserves a receiver, and completes
// this addition before it sends the task. The receiver subtracts 1 after a fence, when the task, and all tasks that it
// has kept in this task, have ended. A task that makes a transfer is itself a part of a task that is counted, or of an
// implicit task whose thread has not arrived at the barrier. So if all threads have arrived, the counter is 0 only if no
// such task is left.
//
// test/model/near_transfer.pml is a model of this protocol.
#ifndef SKERRY_OMP_NEAR_TRANSFER_H
#define SKERRY_OMP_NEAR_TRANSFER_H

#include "near_queue.h"

#define ORPHAN ((struct omp_task *)1) // `parent` of a report for which no task waits

#include "near_frame.h"

// Gives up the reports of the task's transferred children that have not ended.
static SKERRY_COLD void forget_transferred(struct omp_near *near, struct omp_task *task) {
    for (uint32_t i = 0; i < OMP_TRANSFERS; i++) {
        struct omp_task *parent = task;
        if (__atomic_load_n(&near->reports[i].parent, __ATOMIC_RELAXED) != parent) continue;
        __atomic_compare_exchange_n(&near->reports[i].parent, &parent, ORPHAN, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
    }
}

// -- The kept task -----------------------------------------------------------------------------------------------------

// Runs the thread's kept task if it is a child of `task`, the current task. Returns false otherwise.
static bool run_kept(struct omp_thread *self, struct omp_near *near, struct omp_task *task) {
    if (!omp_has_kept(near, task)) return false;
    struct omp_item_data data; // a copy, because the place is used again while the task runs
    omp_copy_item_data(&data, &near->kept.data);
    omp_function *const function = near->kept.function;
    struct omp_taskgroup *const group = near->kept.group;
    near->kept.state = OMP_KEPT_NONE;
    run_frame(function, &data, self, task, group);
    if (OMP_UNLIKELY(group != NULL)) omp_group_leave(group);
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
            near->kept.parent = parent;
            omp_note_extras(parent);
        }
        parent->child = NULL;
    }
    forget_transferred(near, frame);
    frame->has_ended = true;
    end_task(self, frame);
    self->state.task = parent;
    if (frame->made == frame->freed_here) {
        reset_frame(self, frame);
        return frame;
    }
    struct omp_task *const next = frame->spare;
    if (parent->is_explicit) parent->spare = next;
    add_child(parent);
    count_off(self, frame);
    return next;
}

// Runs the task that the thread has kept in its current task, and then waits for the task's other children.
static __attribute__((noinline)) void await_kept(struct omp_thread *self) {
    struct omp_task *const task = self->state.task;
    struct omp_near *const near = &self->state.member->near;
    while (run_kept(self, near, task)) {
    }
    if (has_children(self, task)) await_children();
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

// Keeps a task for later. The thread must have no kept task, and the data must fit.
static void keep(struct omp_near *near, struct omp_task *parent, omp_function *function, const void *data,
                 unsigned long bytes) {
    struct omp_kept *const kept = &near->kept;
    kept->state = OMP_KEPT_FULL;
    kept->function = function;
    kept->parent = parent;
    kept->group = parent->group;
    uint32_t *to = kept->data.words;
    const uint32_t *from = (const uint32_t *)data, *const end = from + bytes / sizeof(uint32_t);
    while (from != end) *to++ = *from++;
    if (OMP_UNLIKELY(parent->group != NULL)) omp_group_enter(parent->group);
    omp_note_extras(parent);
}

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

// -- Transferring a task -----------------------------------------------------------------------------------------------

// Reserves a thread that has asked for a task, and counts the task. Returns NULL if there is none.
static struct omp_near *reserve(struct omp_near *near) {
    near->wanted = 0;
    skerry_compiler_fence();
    bool is_counted = false;
    // A suspended thread gets a descendant of the task that this thread runs for it. All kept tasks are such tasks: the
    // thread had none when it began that task, because it had nothing to do or was suspended (near_transfer.pml).
    if (near->base_wanted) {
        near->base_wanted = 0;
        if (near->base) {
            skerry_event_counter_add(near->transferred, 1);
            is_counted = true;
            if (__atomic_exchange_n(&near->base->is_open, 0, __ATOMIC_RELAXED)) {
                near->wanted = 1; // possibly there are more
                return near->base->owner;
            }
        }
    }
    for (uint32_t i = 0; i < OMP_NEAR_ROUNDS; i++) {
        struct omp_near *const asker = near->askers[i];
        if (!asker) continue;
        near->askers[i] = NULL;
        if (!is_counted) skerry_event_counter_add(near->transferred, 1);
        is_counted = true;
        if (!__atomic_exchange_n(&asker->is_open, 0, __ATOMIC_RELAXED)) continue;
        near->wanted = 1;
        return asker;
    }
    if (is_counted) skerry_event_counter_add(near->transferred, UINT32_MAX);
    return NULL;
}

// Transfers the thread's kept task to a thread that has asked for one.
static SKERRY_COLD bool transfer_kept(struct omp_near *near) {
    struct omp_kept *const kept = &near->kept;
    if (kept->state != OMP_KEPT_FULL) return false;
    struct omp_report *report = near->reports;
    while (__atomic_load_n(&report->parent, __ATOMIC_RELAXED))
        if (++report == near->reports + OMP_TRANSFERS) return false;
    struct omp_near *const receiver = reserve(near);
    if (!receiver) return false;
    kept->state = OMP_KEPT_NONE;
    report->receiver = receiver;
    __atomic_store_n(&report->parent, kept->parent, __ATOMIC_RELAXED);
    skerry_event_complete_stores();
    struct omp_received *to = &receiver->received;
    to->function = kept->function;
    to->group = kept->group;
    to->report = report;
    omp_copy_item_data(&to->data, &kept->data);
    skerry_compiler_fence();
    __atomic_store_n(&to->is_full, 1, __ATOMIC_RELAXED);
    return true;
}

// Returns true if a task that `task` has transferred has not ended.
static SKERRY_COLD bool awaits_transferred(struct omp_near *near, struct omp_task *task) {
    for (uint32_t i = 0; i < OMP_TRANSFERS; i++)
        if (__atomic_load_n(&near->reports[i].parent, __ATOMIC_ACQUIRE) == task) return true;
    return false;
}

// Runs the task that has arrived. The thread that has sent it has closed the receiver's word is_open.
static SKERRY_COLD void run_received(struct omp_thread *self, struct omp_near *near) {
    struct omp_task *const before = self->state.task;
    const skerry_word mark = self->state.task_mark;
    struct omp_report *const base = near->base, *const report = near->received.report;
    struct omp_task *task = new_foreign(self);
    omp_function *const function = near->received.function;
    task->group = near->received.group;
    task->spare = lend_frames(before);
    omp_copy_item_data((struct omp_item_data *)(task + 1), &near->received.data);
    near->open_word = NULL;
    skerry_compiler_fence();
    near->received.is_full = 0;
    near->base = report;
    enter_foreign(self, task);
    task = run_foreign(self, near, task, function);
    near->base = base;
    skerry_event_complete_stores();
    __atomic_store_n(&report->parent, NULL, __ATOMIC_RELAXED);
    skerry_event_counter_add(near->transferred, UINT32_MAX);
    return_frames(self, before, task->spare);
    keep_foreign(self, task);
    self->state.task = before;
    self->state.task_mark = mark;
}

// -- Asking for a task -------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void open_for_tasks(struct omp_near *near, uint32_t *is_open) {
    __atomic_store_n(is_open, 1, __ATOMIC_RELAXED);
    near->open_word = is_open;
}

void skerry_omp_close_for_tasks(struct omp_thread *self) {
    struct omp_near *near = &self->state.member->near;
    uint32_t *const is_open = near->open_word;
    near->open_word = NULL;
    if (__atomic_exchange_n(is_open, 0, __ATOMIC_RELAXED)) return;
    while (!__atomic_load_n(&near->received.is_full, __ATOMIC_ACQUIRE)) {
    }
    run_received(self, near);
}

// Tells another thread that this thread asks for a task, or, if `asker` is NULL, that it does not any longer.
SKERRY_ALWAYS_INLINE void ask(struct omp_near *other, uint32_t index, struct omp_near *asker) {
    __atomic_store_n(&other->askers[index], asker, __ATOMIC_RELAXED);
    if (asker) __atomic_store_n(&other->wanted, 1, __ATOMIC_RELAXED); // arrives later
}

SKERRY_ALWAYS_INLINE void ask_partners(const struct omp_near *near, struct omp_near *asker) {
    uint32_t i = 0;
    for (const struct omp_near_round *round = near->rounds; round != near->end; round++, i++)
        ask((struct omp_near *)(void *)(round->partner - i), i, asker);
}

#define SEARCHES_OF_A_REQUEST 4   // a thread asks again once in this number of searches
#define SEARCHES_OF_A_SUSPENDED 2 // the same for a suspended thread
#define RECEIVED_POLLS 12         // polls for a task in each search

// Runs a transferred task if one has arrived. Asks other threads for a task otherwise: the threads with which this
// thread shares a round of the dissemination barrier. So each thread asks few threads, and yet a task reaches each
// thread by way of others. Called while the thread may run any task.
static bool receive_any(struct omp_thread *self, struct omp_near *near) {
    if (!near->open_word) {
        open_for_tasks(near, &near->is_open);
        near->asked = 0;
    }
    if (near->asked++ % SEARCHES_OF_A_REQUEST == 0) ask_partners(near, near);
    for (uint32_t i = 0; i < RECEIVED_POLLS; i++) {
        if (__atomic_load_n(&near->received.is_full, __ATOMIC_ACQUIRE)) {
            ask_partners(near, NULL);
            run_received(self, near);
            return true;
        }
        if (__atomic_load_n(&near->item.state, __ATOMIC_RELAXED) == OMP_ITEM_FULL) break;
    }
    return false;
}

// Does the same while the thread's task waits for its children: runs only descendants of this task. Asks the thread that
// runs a transferred child, or, if the task is the one whose children go through the queue, the thread that got a task
// last.
static SKERRY_COLD bool receive_descendant(struct omp_thread *self, struct omp_near *near, const struct omp_task *task,
                                           uint32_t searches) {
    if (OMP_UNLIKELY(near->wanted)) transfer_kept(near); // kept before a task began that waits for tasks in a deque
    if (near->open_word && __atomic_load_n(&near->received.is_full, __ATOMIC_ACQUIRE)) {
        run_received(self, near);
        return true;
    }
    for (uint32_t i = 0; i < RECEIVED_POLLS; i++)
        if (__atomic_load_n(&near->received.is_full, __ATOMIC_RELAXED)) return false;
    if (searches % SEARCHES_OF_A_SUSPENDED != 0) return false;
    struct omp_report *report = near->reports;
    const struct omp_report *const end = report + OMP_TRANSFERS;
    while (report != end && __atomic_load_n(&report->parent, __ATOMIC_RELAXED) != task) report++;
    if (report == end && (near->maker != task || !report->receiver)) return false;
    if (near->open_word && near->open_word != &report->is_open) skerry_omp_close_for_tasks(self);
    if (!near->open_word) {
        report->owner = near;
        open_for_tasks(near, &report->is_open);
    }
    struct omp_near *const other = report->receiver;
    __atomic_store_n(&other->base_wanted, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&other->wanted, 1, __ATOMIC_RELAXED); // arrives later
    return false;
}

#endif
