// SPDX-License-Identifier: BSD-3-Clause
// Hands tasks to idle threads, and takes tasks that other threads keep, on machines with SKERRY_EVENTS whose cores share one
// memory. If no thread is idle, a thread keeps one of the tasks that it makes (struct omp_kept), and runs all others at
// once, as calls. A thread without tasks looks at the kept
// tasks of all others, and takes one by one atomic operation. So a thread that has a kept task runs its other tasks without
// any look at other threads. near_task.h includes this file.
//
// The word kept.state, and who changes it:
//     NONE     the thread has no kept task      -> PRIVATE by the thread, or GIVEN
//     GIVEN    the same; the thread has handed  -> NONE by the thread, when it makes its next task and runs that as a call
//              over the last task
//     PRIVATE  only the thread itself can run   -> FULL by the thread, when it makes its next task and runs that as a call.
//              the kept task                       So it does not lose its only task and has to search for another one.
//     FULL     other threads can take the task  -> TAKEN by the first one that clears the bit OMP_KEPT_FREE (AMOAND)
//     TAKEN    a thread has taken the task      -> NONE by it, when it has read all words; or FULL again, by another thread
//                                                  that is not allowed to run this task
// Clearing the bit changes nothing in the states NONE, GIVEN and PRIVATE, so a thread that comes too late has nothing to
// undo. The thread that keeps the task takes it back in the same way. If it finds TAKEN, it waits until the state is NONE or
// FULL.
//
// Words: kept.parent and near.base are accessed only by the thread itself. It stores the other words of `kept` while the state
// is NONE, except `report` and `ancestors`, which it stores while the state is PRIVATE. `reports` are as in near_transfer.h,
// but the thread stores `parent` when it publishes or hands over the task, and NULL when it runs the task itself. The thread
// that takes the task stores `receiver`.
//
// `published` is a word of the team. A thread sets its bit when its kept task becomes FULL, and clears it when it takes the
// task back. Threads without tasks poll only this word. A thread that takes a task clears the bit before. So few threads try
// to take the same task. The word is only a hint: a bit can be set although the state is not FULL, or be 0 although it is
// FULL, if a thread takes a task back and keeps the next one while another thread tries to take the first. The thread
// then runs the next one itself.
//
// A thread is suspended if its current task waits for its children. OpenMP allows it to run only descendants of that task.
// So it looks only at the threads that run its children (`receiver` of their reports), and takes a task there only if
// kept.base is the report of this child (leapfrogging, Wagner and Calder 1993). A thread begins a task of another thread
// when it has nothing else to do, and runs or loses the tasks that it keeps in this task before it ends it. So a kept task
// with this base is a descendant of the task that the report stands for. The thread compares the base again after it has
// taken the task, because the thread that keeps it can have replaced the task in between.
//
// Idle threads. A thread that may run any task and finds none sets its bit in `idle`, a word of the team. A thread that makes
// a task while it has no kept task looks at this word. If a bit is set, it clears it by AMOAND. If the bit was still set, it has
// claimed the idle thread: it stores the task into `received` of that thread, `is_full` last, and the idle thread runs
// it. So the task begins some 300 cycles earlier than if the thread kept it. The thread runs its next task as a call
// (OMP_KEPT_GIVEN), because it would be idle itself if it handed that over too.
//     idle       bits of threads that wait. The thread itself sets its bit, if `open_word` is NULL, and sets open_word.
//     received   written by the thread that has claimed this one. This thread clears is_full, and sets its bit only later.
// A thread that stops waiting clears its own bit. If it was clear already, a task is under way, and it waits for this task and
// runs it. test/model/near_hand_over.pml is a model of this.
//
// Counting. The counter `transferred` is the number of tasks of the team that were taken and have not ended. A thread adds 1
// before it tries to take a task, and subtracts 1 if it does not get it. A thread that hands a task over adds 1 before. While
// the task is in its place, the thread that keeps it has not ended the task that made it, so that is counted or is an
// implicit task whose thread has not arrived at the barrier. So if all threads have arrived, the counter is 0 only if no such task is left. An exception are the children
// of implicit tasks: their thread can arrive while it keeps one. So it counts such a task when it keeps it (is_counted).
//
// test/model/near_steal.pml is a model of this protocol.
#ifndef SKERRY_OMP_NEAR_STEAL_H
#define SKERRY_OMP_NEAR_STEAL_H

#include "near_kept.h"

// Says which kept tasks a thread may take: all (both NULL), those that were made in the task for which the report `base`
// stands, or those that descend from the implicit task `root`.
struct wish {
    const struct omp_report *base;
    const struct omp_task *root;
};

SKERRY_ALWAYS_INLINE bool may_take(const struct omp_kept *kept, struct wish wish) {
    return (!wish.base || __atomic_load_n(&kept->base, __ATOMIC_RELAXED) == wish.base) &&
           (!wish.root || __atomic_load_n(&kept->root, __ATOMIC_RELAXED) == wish.root);
}

// Takes the kept task of another thread and runs it. Returns false if there is no task that this thread may take.
static SKERRY_COLD bool take_kept(struct omp_thread *self, struct omp_near *near, struct omp_near *other,
                                  struct wish wish) {
    struct omp_kept *const kept = &other->kept;
    if (!(__atomic_fetch_and(near->published, ~kept->bit, __ATOMIC_RELAXED) & kept->bit)) return false;
    skerry_event_counter_add(near->transferred, 1);
    const uint32_t state = __atomic_fetch_and(&kept->state, ~OMP_KEPT_FREE, __ATOMIC_ACQ_REL);
    if (state != OMP_KEPT_FULL) {
        skerry_event_counter_add(near->transferred, UINT32_MAX);
        return false;
    }
    if (OMP_UNLIKELY(!may_take(kept, wish))) {
        publish_again(other);
        skerry_event_counter_add(near->transferred, UINT32_MAX);
        return false;
    }
    struct omp_report *const report = kept->report;
    omp_function *const function = kept->function;
    struct omp_taskgroup *const group = kept->group;
    const struct omp_task *const root = kept->root;
    const uint32_t ancestors = kept->ancestors;
    struct omp_item_data data;
    omp_copy_item_data(&data, &kept->data);
    const bool is_counted = kept->is_counted;
    __atomic_store_n(&report->receiver, near, __ATOMIC_RELAXED);
    __atomic_store_n(&kept->state, OMP_KEPT_NONE, __ATOMIC_RELEASE);
    if (OMP_UNLIKELY(is_counted)) skerry_event_counter_add(near->transferred, UINT32_MAX); // counted twice
    run_transferred(self, near, function, group, &data, report, root, ancestors);
    return true;
}

// Looks at the threads whose bit in `published` is set, and takes one of the kept tasks that this thread may take: in a
// recursion the one with the fewest ancestors contains the most work. Returns false if there is none.
static bool search(struct omp_thread *self, struct omp_near *near, struct wish wish) {
    uint32_t published = __atomic_load_n(near->published, __ATOMIC_RELAXED);
    if (OMP_LIKELY(!published)) return false;
    const struct omp_team *const team = self->state.team;
    struct omp_near *best = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; published; i++, published >>= 1) {
        if (!(published & 1)) continue;
        struct omp_near *const other = &omp_member(team, i)->near;
        const uint32_t ancestors = __atomic_load_n(&other->kept.ancestors, __ATOMIC_RELAXED);
        if (ancestors >= least || !may_take(&other->kept, wish)) continue;
        least = ancestors;
        best = other;
    }
    return best && take_kept(self, near, best, wish);
}

// -- Handing a task to an idle thread -----------------------------------------------------------------------------------

// Returns the number of the only bit that is set, by a de Bruijn sequence. The cores have no instruction for it.
SKERRY_ALWAYS_INLINE uint32_t number_of_bit(uint32_t bit) {
    static const uint8_t numbers[32] = {0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
                                        31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9};
    return numbers[(bit * UINT32_C(0x077cb531)) >> 27];
}

// Hands a task of `parent`, the current task, to an idle thread. Returns false if there is none. The data must fit.
SKERRY_ALWAYS_INLINE bool hand_over(struct omp_near *near, const struct omp_team *team, struct omp_task *parent,
                                    omp_function *function, const void *data, unsigned long bytes) {
    uint32_t idle = __atomic_load_n(&near->idle->value, __ATOMIC_RELAXED);
    if (OMP_LIKELY(!idle)) return false;
    struct omp_report *const report = first_free_report(near);
    if (OMP_UNLIKELY(!report)) return false;
    uint32_t bit;
    for (;;) {
        bit = idle & (0 - idle);
        idle = __atomic_fetch_and(&near->idle->value, ~bit, __ATOMIC_RELAXED);
        if (OMP_LIKELY(idle & bit)) break;
        if (!idle) return false;
    }
    struct omp_near *const receiver = &omp_member(team, number_of_bit(bit))->near;
    skerry_event_counter_add(near->transferred, 1); // before the receiver can subtract 1
    report->receiver = receiver;
    report->parent = parent;
    struct omp_received *const to = &receiver->received;
    to->function = function;
    to->report = report;
    to->root = near->root;
    to->ancestors = near->ancestors + parent->depth;
    const uint32_t *from = (const uint32_t *)data, *const end = from + bytes / sizeof(uint32_t);
    for (uint32_t *copy = to->data.words; from != end;) *copy++ = *from++;
    struct omp_taskgroup *const group = parent->group;
    to->group = group;
    if (OMP_UNLIKELY(group != NULL)) omp_group_enter(group);
    omp_note_extras(parent);
    near->kept.state = OMP_KEPT_GIVEN;
    __atomic_store_n(&to->is_full, 1, __ATOMIC_RELEASE);
    return true;
}

// Runs the task that another thread has handed to this one, and which has arrived.
static SKERRY_COLD void run_received(struct omp_thread *self, struct omp_near *near) {
    const struct omp_received *const received = &near->received;
    near->open_word = NULL;
    near->received.is_full = 0;
    run_transferred(self, near, received->function, received->group, &received->data, received->report, received->root,
                    received->ancestors);
}

void skerry_omp_close_for_tasks(struct omp_thread *self) {
    struct omp_near *near = &self->state.member->near;
    near->open_word = NULL;
    if (__atomic_fetch_and(&near->idle->value, ~near->kept.bit, __ATOMIC_RELAXED) & near->kept.bit) return;
    while (!__atomic_load_n(&near->received.is_full, __ATOMIC_ACQUIRE)) {
    }
    run_received(self, near);
}

#define RECEIVED_POLLS 4 // polls of an idle thread before it looks at the other things for which it waits

// Runs a task of another thread: one that was handed over, or a kept task. Returns false if it found none. Called while the
// thread may run any task. Afterwards the thread is idle until omp_close_for_tasks.
static bool find_any(struct omp_thread *self, struct omp_near *near) {
    if (!near->open_word) {
        if (omp_has_descriptor(self)) return false;
        if (OMP_UNLIKELY(near->kept.state != OMP_KEPT_NONE) && run_kept(self, near, self->state.task)) return true;
        near->open_word = &near->idle->value;
        __atomic_fetch_or(&near->idle->value, near->kept.bit, __ATOMIC_RELEASE);
    }
    for (uint32_t i = 0; i < RECEIVED_POLLS; i++) {
        if (__atomic_load_n(&near->received.is_full, __ATOMIC_ACQUIRE)) {
            run_received(self, near);
            return true;
        }
        if (__atomic_load_n(near->published, __ATOMIC_RELAXED)) {
            skerry_omp_close_for_tasks(self);
            return search(self, near, (struct wish){NULL, NULL});
        }
        if (__atomic_load_n(&near->item.state, __ATOMIC_RELAXED) == OMP_ITEM_FULL) break;
    }
    return false;
}

// Does the same while the thread's task waits for its children: takes only descendants of this task. Looks at the threads
// that run its children. A descendant of an implicit task can be anywhere.
static SKERRY_COLD bool find_descendant(struct omp_thread *self, struct omp_near *near, const struct omp_task *task,
                                        uint32_t searches) {
    (void)searches;
    if (!task->is_explicit) return search(self, near, (struct wish){NULL, task});
    for (struct omp_report *report = near->reports; report != near->reports + near->reports_end; report++) {
        if (__atomic_load_n(&report->parent, __ATOMIC_RELAXED) != task) continue;
        struct omp_near *const other = __atomic_load_n(&report->receiver, __ATOMIC_RELAXED);
        const struct wish wish = {report, NULL};
        if (other && __atomic_load_n(&other->kept.state, __ATOMIC_RELAXED) == OMP_KEPT_FULL &&
            may_take(&other->kept, wish) && take_kept(self, near, other, wish))
            return true;
    }
    return false;
}

#endif
