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

#include "near_kept.h"

// The value of `wanted` if this thread must look at the words. GOMP_task compares it with kept.state.
#define OMP_WANTED OMP_KEPT_PRIVATE

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
                near->wanted = OMP_WANTED; // possibly there are more
                return near->base->owner;
            }
        }
    }
    // The farthest thread first: then the threads that get parts of one tree give parts of theirs to different threads, as the
    // ways of a hypercube. If the nearest is first, a thread and the one to which it has given a task find the same threads.
    for (uint32_t i = OMP_NEAR_ROUNDS; i-- > 0;) {
        struct omp_near *const asker = near->askers[i];
        if (!asker) continue;
        near->askers[i] = NULL;
        if (!is_counted) skerry_event_counter_add(near->transferred, 1);
        is_counted = true;
        if (!__atomic_exchange_n(&asker->is_open, 0, __ATOMIC_RELAXED)) continue;
        near->wanted = OMP_WANTED;
        return asker;
    }
    if (is_counted) skerry_event_counter_add(near->transferred, UINT32_MAX);
    return NULL;
}

// Transfers the thread's kept task to a thread that has asked for one.
static SKERRY_COLD bool transfer_kept(struct omp_near *near) {
    struct omp_kept *const kept = &near->kept;
    if (kept->state != OMP_KEPT_PRIVATE) return false;
    struct omp_report *const report = free_report(near);
    struct omp_near *const receiver = report ? reserve(near) : NULL;
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

// Runs the task that has arrived. The thread that has sent it has closed the receiver's word is_open.
static SKERRY_COLD void run_received(struct omp_thread *self, struct omp_near *near) {
    const struct omp_received received = near->received;
    near->open_word = NULL;
    skerry_compiler_fence();
    near->received.is_full = 0;
    run_transferred(self, near, received.function, received.group, &received.data, received.report, NULL, 0);
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
    if (asker) __atomic_store_n(&other->wanted, OMP_WANTED, __ATOMIC_RELAXED); // arrives later
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
static bool find_any(struct omp_thread *self, struct omp_near *near) {
    if (!near->open_word) {
        open_for_tasks(near, &near->is_open);
        near->asked = 0;
    }
    const uint32_t asked = near->asked;
    near->asked = (uint16_t)((asked + 1) % SEARCHES_OF_A_REQUEST); // begins again, as claim_searches
    if (asked == 0) ask_partners(near, near);
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
static SKERRY_COLD bool find_descendant(struct omp_thread *self, struct omp_near *near, const struct omp_task *task,
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
    __atomic_store_n(&other->wanted, OMP_WANTED, __ATOMIC_RELAXED); // arrives later
    return false;
}

#endif
