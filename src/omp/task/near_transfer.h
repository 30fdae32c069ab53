// SPDX-License-Identifier: BSD-3-Clause
// Transfers tasks from threads that make them inside tasks to threads that have none, on machines with SKERRY_EVENTS.
// The method is that of work stealing with private deques (Acar, Charguéraud and Rainey 2013). A thread keeps one of the
// tasks that it makes (OMP_DEFERRED), and runs all others at once, as calls. Only the thread itself accesses the kept
// task, so it needs no lock and no fence. A thread without tasks asks some other threads for one. A thread that is asked
// transfers its kept task when it makes its next task: in a recursion the oldest task contains the most work. It does not
// transfer the task that it has just made, because otherwise it would soon have to ask others.
// near_task.h includes this file.
//
// The words of struct omp_near that belong to this protocol, and their writers:
//     deferred, newest, oldest   the kept tasks, numbers oldest to newest - 1: the thread itself
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

// -- Running a task as a call ------------------------------------------------------------------------------------------

// Task structs for tasks that run as calls. In a recursion the thread uses the same struct at the same depth each time.
// Most words of these structs have the values that a new task needs, so few are stored for each task. The list uses the
// field block.next.
static SKERRY_PER_THREAD struct omp_block *frames;

static SKERRY_COLD void reset_frame(const struct omp_thread *self, struct omp_task *task) {
    task->priority = 0;
    task->detach = OMP_DETACH_NONE;
    task->is_explicit = true;
    task->owns_icv = task->has_depends = task->is_constructed = false;
    task->is_from_queue = task->has_extras = false;
    start_task(self, task);
}

static SKERRY_COLD struct omp_task *new_frame(struct omp_thread *self) {
    struct omp_task *task = omp_block_take(self, sizeof *task);
    task->block.next = NULL;
    reset_frame(self, task);
    return task;
}

// Gives up the reports of the task's transferred children that have not ended.
static SKERRY_COLD void forget_transferred(struct omp_near *near, struct omp_task *task) {
    for (uint32_t i = 0; i < OMP_TRANSFERS; i++) {
        struct omp_task *parent = task;
        if (__atomic_load_n(&near->reports[i].parent, __ATOMIC_RELAXED) != parent) continue;
        __atomic_compare_exchange_n(&near->reports[i].parent, &parent, ORPHAN, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
    }
}

// Ends a task that ran as a call, in all cases except the common one (run_frame). Its kept children become children of
// its parent, which then waits for more than it needs to. If the parent is an implicit task they run now, because an
// implicit task has no kept children.
static SKERRY_COLD void end_frame_slowly(struct omp_thread *self, struct omp_near *near, struct omp_task *task,
                                         struct omp_task *parent) {
    if (!parent->is_explicit) {
        struct omp_task *const before = self->state.task;
        self->state.task = task;
        while (run_newest(self, near, task)) {
        }
        self->state.task = before;
    } else if (omp_has_deferred(near, task->deferred_mark)) {
        for (uint32_t i = near->newest; i != task->deferred_mark && i != near->oldest; i--)
            if (near->deferred[(i - 1) % OMP_DEFERRED].parent == task)
                near->deferred[(i - 1) % OMP_DEFERRED].parent = parent;
    }
    if (task->has_extras) forget_transferred(near, task);
    task->has_ended = true;
    end_task(self, task);
    if (task->made == task->freed_here) {
        reset_frame(self, task);
        task->block.next = frames;
        frames = &task->block;
        return;
    }
    add_child(parent);
    count_off(self, task);
}

// Gives a struct from the list of frames to a child of `parent`.
static SKERRY_COLD struct omp_task *take_frame(struct omp_thread *self, struct omp_task *parent) {
    struct omp_task *task = frames ? omp_block_memory(frames) : new_frame(self);
    frames = task->block.next;
    task->parent = parent;
    task->team = parent->team;
    task->icv = parent->icv;
    task->depth = parent->depth + 1;
    task->is_final = parent->is_final;
    task->thread_number = self->state.thread_number;
    task->child = NULL;
    if (parent->owns_icv) skerry_omp_copy_icv(task);
    else parent->child = task;
    return task;
}

// Sets the thread's mark during a call of a function. The mark changes only if the parent has children in the deque.
static SKERRY_COLD void call_with_mark(omp_function *function, void *data, struct omp_thread *self) {
    const skerry_word mark = self->state.task_mark;
    self->state.task_mark = self->state.member->deque.bottom;
    function(data);
    self->state.task_mark = mark;
}

// Runs a task as a call, in a struct that has all words except the mark. Afterwards the thread's task is the parent.
SKERRY_ALWAYS_INLINE void run_in_frame(omp_function *function, void *data, struct omp_thread *self,
                                       struct omp_task *task) {
    const struct omp_member *member = self->state.member;
    task->deferred_mark = member->near.newest;
    self->state.task = task;
    if (OMP_UNLIKELY(member->deque.bottom != self->state.task_mark)) call_with_mark(function, data, self);
    else function(data);
    skerry_compiler_fence();
    self = skerry_omp_self; // loading it again takes less time than keeping it in a register
    struct omp_near *const near = &self->state.member->near;
    self->state.task = task->parent;
    if (OMP_UNLIKELY(task->has_extras || near->newest != task->deferred_mark)) {
        end_frame_slowly(self, near, task, task->parent);
        return;
    }
    task->block.next = frames;
    frames = &task->block;
}

static SKERRY_COLD void run_in_new_frame(omp_function *function, void *data, struct omp_thread *self,
                                         struct omp_task *parent, struct omp_taskgroup *group) {
    struct omp_task *task = take_frame(self, parent);
    task->group = group;
    run_in_frame(function, data, self, task);
}

// Runs a child of `parent` as a call. The parent runs on the calling thread.
// If the next struct in the list of frames was the last one of a child of this parent, it has the words that take_frame
// stores: a task's `child` is NULL when it begins, and the child's `parent` is changed if another task uses the struct.
// Only the control variables of a task can change after that.
static __attribute__((noinline)) void run_frame(omp_function *function, void *data, struct omp_thread *self,
                                                struct omp_task *parent, struct omp_taskgroup *group) {
    struct omp_task *task = omp_block_memory(frames);
    if (OMP_UNLIKELY(parent->child != task || task->parent != parent || task->icv != parent->icv))
        return run_in_new_frame(function, data, self, parent, group);
    frames = task->block.next;
    task->group = group;
    run_in_frame(function, data, self, task);
}

// Runs the newest task that the thread has kept since `task` began. Returns false if there is none.
static bool run_newest(struct omp_thread *self, struct omp_near *near, const struct omp_task *task) {
    if (!omp_has_deferred(near, task->deferred_mark)) return false;
    const struct omp_deferred *deferred = &near->deferred[--near->newest % OMP_DEFERRED];
    struct omp_item_data data; // a copy, because the place is used again while the task runs
    omp_copy_item_data(&data, &deferred->data);
    struct omp_taskgroup *const group = deferred->group;
    struct omp_task *const current = self->state.task;
    run_frame(deferred->function, &data, self, deferred->parent, group);
    self->state.task = current;
    if (OMP_UNLIKELY(group != NULL)) omp_group_leave(group);
    return true;
}

// Runs the tasks that the thread has kept in its current task, and then waits for the task's other children.
static __attribute__((noinline)) void await_kept(struct omp_thread *self) {
    struct omp_task *const task = self->state.task;
    while (run_newest(self, &self->state.member->near, task)) {
    }
    if (OMP_UNLIKELY(task->has_extras)) await_children();
}

// Runs the tasks that the thread has kept in a task that ends.
static void end_deferred(struct omp_thread *self, struct omp_task *task) {
    struct omp_near *near = &self->state.member->near;
    while (OMP_UNLIKELY(near->newest != task->deferred_mark) && run_newest(self, near, task)) {
    }
    if (OMP_UNLIKELY(task->has_extras)) forget_transferred(near, task);
}

// Returns true if the data of a task can be kept or sent.
SKERRY_ALWAYS_INLINE bool fits(const void *data, unsigned long bytes, unsigned long alignment) {
    return bytes <= sizeof(struct omp_item_data) && alignment <= 8 && ((uintptr_t)data | bytes) % sizeof(uint32_t) == 0;
}

// Keeps a task for later. There must be a place, and the data must fit.
SKERRY_ALWAYS_INLINE void defer(struct omp_near *near, struct omp_task *parent, omp_function *function,
                                const void *data, unsigned long bytes) {
    struct omp_deferred *deferred = &near->deferred[near->newest % OMP_DEFERRED];
    deferred->function = function;
    deferred->parent = parent;
    deferred->group = parent->group;
    uint32_t *to = deferred->data.words;
    const uint32_t *from = (const uint32_t *)data, *const end = from + bytes / sizeof(uint32_t);
    while (from != end) *to++ = *from++;
    if (OMP_UNLIKELY(parent->group != NULL)) omp_group_enter(parent->group);
    near->newest++;
}

// The same as a function, for callers that run rarely.
static SKERRY_COLD void defer_slowly(struct omp_near *near, struct omp_task *parent, omp_function *function,
                                     const void *data, unsigned long bytes) {
    defer(near, parent, function, data, bytes);
}

SKERRY_ALWAYS_INLINE uint32_t kept_tasks(const struct omp_near *near) {
    return near->newest - near->oldest;
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
    if (left && (uint32_t)(__atomic_fetch_sub(&task->elsewhere, (uint64_t)left << 32, __ATOMIC_ACQ_REL) >> 32) != left)
        return new_foreign(self);
    prepare_foreign(self, task);
    return task;
}

// Makes a prepared task the thread's current one.
SKERRY_ALWAYS_INLINE void enter_foreign(struct omp_thread *self, const struct omp_near *near, struct omp_task *task) {
    self->state.task = task;
    self->state.task_mark = self->state.member->deque.bottom;
    task->deferred_mark = near->newest;
    task->icv = team_icv(self);
}

// Does all that is to do if the task that has run is not the simplest one. Returns a task that is the current one.
static SKERRY_COLD struct omp_task *leave_foreign(struct omp_thread *self, struct omp_near *near,
                                                  struct omp_task *task) {
    while (run_newest(self, near, task)) {
    }
    if (task->group) omp_group_leave(task->group);
    if (task->has_extras) task = end_foreign_slowly(self, near, task);
    enter_foreign(self, near, task);
    return task;
}

// Runs the current task, which another thread has made, and the tasks that the thread has kept in it. Returns a task that
// is the current one. Several tasks can run in the same struct, one after the other. The caller restores the thread's
// state.
SKERRY_ALWAYS_INLINE struct omp_task *run_foreign(struct omp_thread *self, struct omp_near *near, struct omp_task *task,
                                                  omp_function *function) {
    function(task + 1);
    if (OMP_UNLIKELY(near->newest != task->deferred_mark || task->has_extras || task->group))
        task = leave_foreign(self, near, task);
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

// Transfers the thread's oldest kept task to a thread that has asked for one.
static SKERRY_COLD bool transfer_oldest(struct omp_near *near) {
    if (near->newest == near->oldest) return false;
    struct omp_report *report = near->reports;
    while (__atomic_load_n(&report->parent, __ATOMIC_RELAXED))
        if (++report == near->reports + OMP_TRANSFERS) return false;
    struct omp_near *const receiver = reserve(near);
    if (!receiver) return false;
    const struct omp_deferred *deferred = &near->deferred[near->oldest++ % OMP_DEFERRED];
    omp_note_extras(deferred->parent);
    report->receiver = receiver;
    __atomic_store_n(&report->parent, deferred->parent, __ATOMIC_RELAXED);
    skerry_event_complete_stores();
    struct omp_received *to = &receiver->received;
    to->function = deferred->function;
    to->group = deferred->group;
    to->report = report;
    omp_copy_item_data(&to->data, &deferred->data);
    skerry_compiler_fence();
    __atomic_store_n(&to->is_full, 1, __ATOMIC_RELAXED);
    return true;
}

// Transfers tasks as long as threads ask for them, but keeps the newest one for the thread itself, because otherwise it
// would soon have to ask others.
static SKERRY_COLD void transfer_all(struct omp_near *near) {
    while (kept_tasks(near) > 1 && near->wanted && transfer_oldest(near)) {
    }
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
    omp_copy_item_data((struct omp_item_data *)(task + 1), &near->received.data);
    near->open_word = NULL;
    skerry_compiler_fence();
    near->received.is_full = 0;
    near->base = report;
    enter_foreign(self, near, task);
    task = run_foreign(self, near, task, function);
    near->base = base;
    skerry_event_complete_stores();
    __atomic_store_n(&report->parent, NULL, __ATOMIC_RELAXED);
    skerry_event_counter_add(near->transferred, UINT32_MAX);
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
    if (OMP_UNLIKELY(near->wanted)) transfer_oldest(near); // kept before a task began that waits for tasks in a deque
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
