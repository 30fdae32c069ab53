// SPDX-License-Identifier: BSD-3-Clause
// Makes and runs tasks on machines with SKERRY_EVENTS, where the master puts most of its tasks into a queue in hardware
// (near_queue.h). task.c includes this file.
#ifndef SKERRY_OMP_NEAR_TASK_H
#define SKERRY_OMP_NEAR_TASK_H

#include "near_queue.h"

SKERRY_PER_THREAD uint32_t skerry_omp_queue_places;
static SKERRY_PER_THREAD struct skerry_event_counter *counter_of_places;

SKERRY_COLD void skerry_omp_return_places(void) {
    skerry_event_counter_add(counter_of_places, 0 - skerry_omp_queue_places);
    skerry_omp_queue_places = 0;
}

// -- Running a task from the queue -------------------------------------------------------------------------------------

// Copies an item to a new task. The task's control variables are those of the team, because the master's implicit task
// has no own ones when it puts a task into the queue (open_queue). They are loaded from the thread's own implicit task,
// which is near, unless that task has changed them.
SKERRY_ALWAYS_INLINE struct omp_task *copy_item(struct omp_thread *self, const struct omp_item *item) {
    struct omp_team *team = self->state.team;
    const struct omp_member *member = self->state.member;
    struct omp_task *task = omp_block_take(self, sizeof *task + sizeof item->data);
    task->function = item->function;
    task->data = task + 1;
    task->parent = member->near.maker;
    task->team = team;
    task->group = item->group;
    task->icv = OMP_LIKELY(!member->implicit.owns_icv) ? member->implicit.icv : team->icv;
    task->depth = 1;
    task->priority = 0;
    task->detach = OMP_DETACH_NONE;
    task->is_explicit = true;
    task->is_final = task->owns_icv = task->has_depends = task->is_constructed = false;
    task->is_from_queue = true;
    uint32_t *data = task->data;
    for (uint32_t i = 0; i < OMP_ITEM_DATA_WORDS; i++) data[i] = item->data[i];
    return task;
}

// Runs a task from the queue, counts it as finished, and frees its memory as in count_off. Requests the next task when
// the function has returned, so that it arrives during the rest of the work.
static void run_item(struct omp_thread *self, struct omp_task *task) {
    struct skerry_event_counter *const unfinished = self->state.member->near.unfinished;
    run_function(self, task);
    omp_item_request(&self->state.member->near);
    if (OMP_UNLIKELY(task->group != NULL)) omp_group_leave(task->group);
    const uint32_t left = task->made - task->freed_here;
    if (OMP_LIKELY(left == 0) ||
        (uint32_t)(__atomic_fetch_sub(&task->elsewhere, (uint64_t)left << 32, __ATOMIC_ACQ_REL) >> 32) == left)
        omp_block_give(self, &task->block);
    skerry_complete_stores();
    skerry_event_counter_add(unfinished, UINT32_MAX);
}

// Number of polls by which a thread that has run a task waits for the next one. They take longer than the answer to a
// request that finds an item (some 75 cycles).
#define ITEM_POLLS 24

// Runs a task of the team's queue if one has arrived for the calling thread. Requests one otherwise. If `stays` is true,
// runs further tasks as long as they arrive soon. A thread that waits for its next region takes no task if the region's
// descriptor has arrived (may_run in ready.c).
static bool run_queued(struct omp_thread *self, bool stays) {
    struct omp_near *near = &self->state.member->near;
    if (!near->queue || omp_has_descriptor(self)) return false;
    if (!omp_item_take(&near->item, OMP_ITEM_IDLE)) {
        omp_item_request(near);
        return false;
    }
    do {
        run_item(self, copy_item(self, &near->item));
        if (!stays) break;
        for (uint32_t i = 0; i < ITEM_POLLS && __atomic_load_n(&near->item.state, __ATOMIC_RELAXED) == OMP_ITEM_ASKED;
             i++) {
        }
    } while (omp_item_take(&near->item, OMP_ITEM_IDLE));
    return true;
}

// Runs a task that has arrived for another thread, which possibly is busy. Only the master calls this function.
static SKERRY_COLD bool run_claimed(struct omp_thread *self) {
    for (uint32_t i = 1; i < omp_threads(self); i++) {
        struct omp_item *item = &omp_member(self->state.team, i)->near.item;
        if (!omp_item_take(item, OMP_ITEM_CLAIMED)) continue;
        struct omp_task *task = copy_item(self, item);
        __atomic_store_n(&item->state, OMP_ITEM_IDLE, __ATOMIC_RELAXED);
        run_item(self, task);
        return true;
    }
    return false;
}

// -- Putting a task into the queue -------------------------------------------------------------------------------------

// Takes a queue for the calling thread's team, and a counter for it. Returns false if the machine has none left, or if
// not all threads can receive items. Begins with the counter's value that stands for no tasks.
static SKERRY_COLD bool take_queue(const struct omp_thread *self, struct omp_team *team) {
    const uint32_t threads = team->threads;
    for (uint32_t i = 0; i < threads; i++) {
        struct omp_member *member = omp_member(team, i);
        if (!skerry_event_reaches(&member->near.item, member->thread->number)) return false;
    }
    team->unfinished = skerry_event_counter_take(self->number);
    if (!team->unfinished) return false;
    skerry_event_counter_add(team->unfinished, 0 - OMP_QUEUE_LIMIT(threads));
    team->queue = skerry_event_queue_take(self->number, OMP_QUEUE_LIMIT(threads));
    return team->queue != NULL;
}

// Lets the calling thread put the tasks that its current task makes into the team's queue, if it can: the current task
// is the implicit task of the master of several threads, has the team's control variables, and cannot be cancelled.
// Returns true if so.
SKERRY_ALWAYS_INLINE bool open_queue(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    struct omp_task *maker = self->state.task;
    if (team->has_no_queue || maker->is_explicit || maker->owns_icv || skerry_omp_device.cancellation) return false;
    if (!team->queue && !take_queue(self, team)) {
        team->has_no_queue = true;
        return false;
    }
    if (!omp_knows_of_tasks(self)) record_tasks_made(self);
    if (!self->state.member->near.queue)
        for (uint32_t i = 0; i < team->threads; i++) {
            struct omp_near *near = &omp_member(team, i)->near;
            near->unfinished = team->unfinished;
            near->maker = maker;
            __atomic_store_n(&near->queue, team->queue, __ATOMIC_RELAXED); // all go to one memory: arrives last
        }
    volatile uint32_t *item = skerry_event_item();
    item[OMP_ITEM_WORD(state)] = OMP_ITEM_FULL;
    item[OMP_ITEM_WORD(group)] = (uint32_t)(uintptr_t)maker->group;
    skerry_event_aim(team->queue);
    return true;
}

// Arguments of GOMP_task that few tasks have.
struct rare {
    void **depends;
    int priority;
    void *detach;
};

// Makes a task that is neither put into the queue nor run at once. The three functions before GOMP_task have the same
// arguments in the same registers, except the first one of run_plain, and call each other as their last action.
static __attribute__((noinline)) void make_slowly(omp_function *function, void *data, void (*copy)(void *, void *),
                                                  unsigned long bytes, unsigned long alignment, const struct rare *rare,
                                                  unsigned flags) {
    new_task(omp_self(), function, data, copy, (long)bytes, (long)alignment, flags & MAY_DEFER, flags & ~MAY_DEFER,
             rare->depends, rare->priority, rare->detach);
}

static __attribute__((noinline)) void run_plain(struct omp_thread *self, omp_function *function, void *data) {
    run_at_once(self, self->state.task, function, data, NULL, 0, 0, false);
}

// Puts a task of the master into the queue, or runs it if the queue holds enough tasks.
static __attribute__((noinline)) void queue_slowly(omp_function *function, void *data, void (*copy)(void *, void *),
                                                   unsigned long bytes, unsigned long alignment,
                                                   const struct rare *rare, unsigned flags) {
    struct omp_thread *self = skerry_omp_self;
    if (!open_queue(self)) return make_slowly(function, data, copy, bytes, alignment, rare, flags);
    struct skerry_event_counter *const unfinished = self->state.member->near.unfinished;
    struct omp_taskgroup *const group = self->state.task->group;
    if (!skerry_omp_queue_places) {
        const uint32_t places = 0 - skerry_event_counter_value(unfinished);
        if (places < OMP_QUEUE_REFILL) return run_plain(self, function, data); // enough tasks for the other threads
        skerry_omp_queue_places = places;
        counter_of_places = unfinished;
        skerry_event_counter_add(unfinished, places);
    }
    const bool fits = omp_queue_copy(data, bytes, alignment);
    if (fits) skerry_omp_queue_places--;
    if (group) omp_close_queue(); // GOMP_task does not count tasks in groups
    if (!fits) return make_slowly(function, data, copy, bytes, alignment, rare, flags);
    if (group) omp_group_enter(group);
    omp_queue_send(function);
}

// Makes a task that GOMP_task cannot put into the queue quickly. A task runs at once if the thread has enough tasks for
// other threads, or is alone.
static __attribute__((noinline)) void make_otherwise(omp_function *function, void *data, void (*copy)(void *, void *),
                                                     unsigned long bytes, unsigned long alignment,
                                                     const struct rare *rare, unsigned flags) {
    struct omp_thread *const self = skerry_omp_self;
    if (OMP_UNLIKELY(flags != MAY_DEFER || copy || !self || self->can_cancel))
        return make_slowly(function, data, copy, bytes, alignment, rare, flags);
    struct omp_member *const member = self->state.member;
    const struct omp_task *const parent = self->state.task;
    if (member->near.threads == 1) return run_plain(self, function, data);
    if (self->state.thread_number == 0 && !parent->is_explicit)
        return queue_slowly(function, data, copy, bytes, alignment, rare, flags);
    const uint32_t limit = parent->depth < SHALLOW_DEPTH ? SHALLOW_TASKS : DEEP_TASKS;
    if (omp_deque_has_room(&member->deque, limit))
        return make_slowly(function, data, copy, bytes, alignment, rare, flags);
    run_plain(self, function, data);
}

// The quick path puts a task without flags and copy function, and with no data or with few data, into the queue.
OMP_EXPORT void GOMP_task(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                          bool may_defer, unsigned flags, void **depends, int priority, void *detach) {
    const uintptr_t unusual = flags | (uintptr_t)copy;
    const uint32_t places = skerry_omp_queue_places;
    // x < may_defer means that x is 0 and may_defer is true.
    if (OMP_LIKELY((unusual | (unsigned long)bytes) < may_defer && places) ||
        (unusual < may_defer && places && omp_queue_copy(data, (unsigned long)bytes, (unsigned long)alignment))) {
        skerry_omp_queue_places = places - 1;
        omp_queue_send(function);
        return;
    }
    const struct rare rare = {depends, priority, detach};
    make_otherwise(function, data, copy, (unsigned long)bytes, (unsigned long)alignment, &rare,
                   flags | may_defer * MAY_DEFER);
}

#endif
