// SPDX-License-Identifier: BSD-3-Clause
// Makes and runs tasks on machines with SKERRY_EVENTS. One thread puts the tasks of its implicit task into a queue in
// hardware (near_queue.h). Tasks that are made in tasks are transferred to threads that ask for them (near_transfer.h).
// task.c includes this file.
#ifndef SKERRY_OMP_NEAR_TASK_H
#define SKERRY_OMP_NEAR_TASK_H

#include "near_queue.h"

// Returns the control variables of the team. They are loaded from the thread's own implicit task, which is near, unless
// that task has changed them. A task that comes from another thread has these control variables, because tasks whose
// parent has own ones are neither put into the queue nor kept.
SKERRY_ALWAYS_INLINE const struct omp_icv *team_icv(const struct omp_thread *self) {
    const struct omp_task *implicit = &self->state.member->implicit;
    return OMP_LIKELY(!implicit->owns_icv) ? implicit->icv : self->state.team->icv;
}

#if OMP_TAKES_KEPT
#include "near_steal.h"
#else
#include "near_transfer.h"
#endif

static SKERRY_PER_THREAD struct skerry_event_counter *counter_of_places;

SKERRY_COLD void skerry_omp_return_places(void) {
    skerry_event_counter_add(counter_of_places, 0 - skerry_omp_queue_places);
    skerry_omp_queue_places = 0;
}

// -- Running a task from the queue -------------------------------------------------------------------------------------

// Number of polls by which a thread that has run a task waits for the next one. They take longer than the answer to a
// request that finds an item (some 75 cycles).
#define ITEM_POLLS 24
#define EARLY_ITEM_POLLS 2 // the same if it has requested the item before it ran the task

// Waits for the answer to the thread's request. Returns false if there is none soon.
SKERRY_ALWAYS_INLINE bool await_item(const struct omp_near *near, uint32_t polls) {
    for (uint32_t i = 0; i < polls; i++)
        if (__atomic_load_n(&near->item.state, __ATOMIC_RELAXED) != OMP_ITEM_ASKED) return true;
    return false;
}

// Runs the task of an item that the thread has taken: the thread's own item, or a copy of the item of another thread. If
// `stays` is true, runs further tasks as long as they arrive soon. The thread requests its next item before it runs a
// task if the last answer came soon. Then other tasks wait in the queue, and the answer has no need to be quick: other
// threads do not wait for items now, so they do not miss one that waits here for the end of a task.
static void run_items(struct omp_thread *self, const struct omp_item *item, bool stays) {
    struct omp_near *near = &self->state.member->near;
    struct omp_task *const before = self->state.task, *task = new_foreign(self);
    const skerry_word mark = self->state.task_mark;
    struct omp_report *const base = near->base;
    near->base = omp_maker_report(near);
    near->base->receiver = near;
#if OMP_TAKES_KEPT
    const struct omp_task *const root = near->root;
    near->root = near->maker;
#endif
    task->spare = lend_frames(self, before);
    enter_foreign(self, task);
    bool early = false, is_next;
    do {
        omp_function *const function = item->function;
        task->group = item->group;
        omp_copy_item_data((struct omp_item_data *)(task + 1), &item->data);
        if (early) omp_item_request(near);
        task = run_foreign(self, near, task, function);
        if (!early) omp_item_request(near);
        skerry_event_complete_stores();
        skerry_event_counter_add(near->unfinished, UINT32_MAX);
        is_next = stays && await_item(near, early ? EARLY_ITEM_POLLS : ITEM_POLLS);
        item = &near->item;
        early = true;
    } while (is_next && omp_item_take(&near->item, OMP_ITEM_IDLE));
    return_frames(self, before, task->spare);
    self->state.task = before;
    self->state.task_mark = mark;
    near->base = base;
#if OMP_TAKES_KEPT
    near->root = root;
#endif
    keep_foreign(self, task);
}

// A thread whose request has no answer looks for items of other threads once in this number of searches: at one of 8 threads,
// so that it has looked at all threads after 8 looks.
#define SEARCHES_OF_A_CLAIM 32
#define THREADS_OF_A_CLAIM 8

// The number of searches since the last such look, and the thread at which the next one looks. Both begin again, so a thread
// that searches in vain returns to the same state. By this the simulator recognises a search that cannot end.
static SKERRY_PER_THREAD uint32_t claim_searches, claim_victim;

// Runs a task that has arrived for thread `other`, which possibly is busy.
static SKERRY_COLD bool run_claimed_of(struct omp_thread *self, uint32_t other) {
    if (other == self->state.thread_number) return false;
    struct omp_item *const item = &omp_member(self->state.team, other)->near.item;
    if (!omp_item_take(item, OMP_ITEM_CLAIMED)) return false;
    const struct omp_item copy = *item;
    skerry_compiler_fence();
    __atomic_store_n(&item->state, OMP_ITEM_IDLE, __ATOMIC_RELAXED);
    omp_close_for_tasks(self);
    run_items(self, &copy, false);
    return true;
}

// Runs a task that has arrived for another thread. Looks at a part of the threads in each call.
static SKERRY_COLD bool run_claimed(struct omp_thread *self) {
    const uint32_t first = claim_victim;
    claim_victim = (first + 1) % THREADS_OF_A_CLAIM;
    for (uint32_t other = first; other < omp_threads(self); other += THREADS_OF_A_CLAIM)
        if (run_claimed_of(self, other)) return true;
    return false;
}

// Runs a task of the team's queue if one has arrived for the calling thread. Requests one otherwise. If `stays` is true,
// runs further tasks as long as they arrive soon. A thread that waits for its next region takes no task if the region's
// descriptor has arrived (may_run in ready.c).
static bool run_queued(struct omp_thread *self, bool stays) {
    struct omp_near *near = &self->state.member->near;
    if (!near->queue || omp_has_descriptor(self)) return false;
    if (__atomic_load_n(&near->item.state, __ATOMIC_RELAXED) == OMP_ITEM_FULL) {
        omp_close_for_tasks(self); // before the item is taken, because this possibly runs another task
        if (omp_item_take(&near->item, OMP_ITEM_IDLE)) {
            run_items(self, &near->item, stays);
            return true;
        }
    }
    omp_item_request(near);
    claim_searches = (claim_searches + 1) % SEARCHES_OF_A_CLAIM;
    return claim_searches == 0 && run_claimed(self);
}

// -- Putting a task into the queue -------------------------------------------------------------------------------------

// Takes a queue near the team's master, and a counter for it. Returns false if the machine has none left, or if not all
// threads can receive items. Begins with the counter's value that stands for no tasks.
static SKERRY_COLD bool take_queue(struct omp_team *team) {
    const int32_t master = omp_member(team, 0)->thread->number;
    const uint32_t threads = team->threads;
    for (uint32_t i = 0; i < threads; i++) {
        struct omp_member *member = omp_member(team, i);
        if (!skerry_event_reaches(&member->near.item, member->thread->number)) return false;
    }
    team->unfinished = skerry_event_counter_take(master);
    if (!team->unfinished) return false;
    skerry_event_counter_add(team->unfinished, 0 - OMP_QUEUE_LIMIT(threads));
    team->queue = skerry_event_queue_take(master, OMP_QUEUE_LIMIT(threads));
    if (!team->queue) return false;
    for (uint32_t i = 0; i < threads; i++) {
        struct omp_near *near = &omp_member(team, i)->near;
        near->unfinished = team->unfinished;
        __atomic_store_n(&near->queue, team->queue, __ATOMIC_RELAXED); // all go to one memory: arrives last
    }
    return true;
}

SKERRY_ALWAYS_INLINE void announce_to(struct omp_member *member, struct omp_task *maker, uint32_t tasks_made) {
    member->near.maker = maker;
    __atomic_store_n(&member->near.tasks_made, tasks_made, __ATOMIC_RELAXED);
}

// Tells all threads of the team that the current task is the one whose children go through the queue. Returns true.
static __attribute__((noinline)) bool announce_maker(struct omp_thread *self, struct omp_team *team) {
    struct omp_task *const maker = self->state.task;
    const bool is_known = omp_knows_of_tasks(self);
    const uint32_t value = tasks_made_value(self);
    __atomic_store_n(&team->tasks_made, 1, __ATOMIC_RELAXED);
    omp_forget_exchange();
    self->joined = NULL; // so that this thread returns its places at the end of its part of the region (join_slowly)
    struct omp_member *const *member = team->members, *const *end = member + team->threads;
    if (is_known) {
        for (; member != end; member++) (*member)->near.maker = maker;
        return true;
    }
    // The common case, in few instructions: two threads in each step.
    if (team->threads % 2) announce_to(*--end, maker, value);
    do {
        struct omp_member *const first = member[0], *const second = member[1];
        announce_to(first, maker, value);
        announce_to(second, maker, value);
    } while ((member += 2) != end);
    return true;
}

static SKERRY_COLD bool become_first_maker(struct omp_thread *self, struct omp_team *team) {
    if (take_queue(team)) return announce_maker(self, team);
    team->has_no_queue = true;
    return false;
}

// Makes the current task, an implicit task, the one whose children go through the queue in this region. Returns false if
// another thread's task is already, or if there is no queue.
SKERRY_ALWAYS_INLINE bool become_maker(struct omp_thread *self, struct omp_team *team) {
    if (team->has_no_queue || self->state.member->near.maker ||
        __atomic_exchange_n(&team->has_maker, 1, __ATOMIC_RELAXED))
        return false;
    if (OMP_UNLIKELY(!team->queue)) return become_first_maker(self, team);
    return announce_maker(self, team);
}

// Lets the calling thread put the tasks that its current task makes into the team's queue, if it can: the current task
// is the first implicit task of several threads that makes tasks, has the team's control variables, and cannot be
// cancelled. Returns true if so.
SKERRY_ALWAYS_INLINE bool open_queue(struct omp_thread *self) {
    const struct omp_task *maker = self->state.task;
    if (maker->owns_icv) return false;
    if (self->state.member->near.maker != maker && !become_maker(self, self->state.team)) return false;
    volatile uint32_t *item = skerry_event_item();
    item[OMP_ITEM_WORD(state)] = OMP_ITEM_FULL;
    item[OMP_ITEM_WORD(group)] = (uint32_t)(uintptr_t)maker->group;
    skerry_event_aim(self->state.member->near.queue);
    return true;
}

// Arguments of GOMP_task that few tasks have.
struct rare {
    void **depends;
    int priority;
    void *detach;
};

static const struct rare no_rare;

// Makes a task that has flags or a copy function, or that must be in a deque. The only copy of new_task.
static __attribute__((noinline)) void make_slowly(omp_function *function, void *data, void (*copy)(void *, void *),
                                                  long bytes, long alignment, const struct rare *rare, unsigned flags) {
    new_task(omp_self(), function, data, copy, bytes, alignment, flags & MAY_DEFER, flags & ~MAY_DEFER, rare->depends,
             rare->priority, rare->detach);
}

// Makes a task that has arguments for which struct rare has words.
static __attribute__((noinline)) void make_rare(omp_function *function, void *data, void (*copy)(void *, void *),
                                                long bytes, long alignment, bool may_defer, unsigned flags,
                                                void **depends, int priority, void *detach) {
    const struct rare rare = {depends, priority, detach};
    make_slowly(function, data, copy, bytes, alignment, &rare, flags | may_defer * MAY_DEFER);
}

// Makes a task whose data do not fit into an item, or that cannot be transferred.
static SKERRY_COLD void make_in_deque(struct omp_thread *self, omp_function *function, void *data, unsigned long bytes,
                                      unsigned long alignment) {
    struct omp_task *parent = self->state.task;
    const uint32_t limit = parent->depth < SHALLOW_DEPTH ? SHALLOW_TASKS : DEEP_TASKS;
    if (omp_deque_has_room(&self->state.member->deque, limit))
        make_slowly(function, data, NULL, (long)bytes, (long)alignment, &no_rare, MAY_DEFER);
    else run_frame(function, data, self, parent, parent->group);
}

// Makes a task in an implicit task that is not the one whose children go through the queue.
static SKERRY_COLD void make_beside_queue(struct omp_thread *self, omp_function *function, void *data,
                                          unsigned long bytes, unsigned long alignment) {
    struct omp_near *near = &self->state.member->near;
    struct omp_task *parent = self->state.task;
    if (!near->can_transfer || parent->owns_icv) return make_in_deque(self, function, data, bytes, alignment);
    if (!omp_knows_of_tasks(self)) record_tasks_made(self);
#if OMP_TAKES_KEPT
    if (near->kept.state == OMP_KEPT_NONE && free_report(near)) {
        keep_slowly(near, parent, function, data, bytes, true);
        publish_kept(near);
        return;
    }
#else
    if (near->wanted) {
        keep_slowly(near, parent, function, data, bytes, false);
        transfer_kept(near);
        run_kept(self, near, parent);
        return;
    }
#endif
    run_frame(function, data, self, parent, parent->group);
}

// Makes a task in an implicit task: puts it into the queue, or runs it if the queue holds enough tasks.
static __attribute__((noinline)) void make_in_implicit(struct omp_thread *self, omp_function *function, void *data,
                                                       unsigned long bytes, unsigned long alignment) {
    if (!fits(data, bytes, alignment)) return make_in_deque(self, function, data, bytes, alignment);
    if (!open_queue(self)) return make_beside_queue(self, function, data, bytes, alignment);
    struct omp_task *const parent = self->state.task;
    struct omp_taskgroup *const group = parent->group;
    struct skerry_event_counter *const unfinished = self->state.member->near.unfinished;
    if (!skerry_omp_queue_places) {
        const uint32_t places = 0 - skerry_event_counter_value(unfinished);
        if (places < OMP_QUEUE_REFILL) { // enough tasks for the other threads
            run_frame(function, data, self, parent, group);
            return;
        }
        skerry_omp_queue_places = places;
        counter_of_places = unfinished;
        skerry_event_counter_add(unfinished, places);
    }
    omp_queue_copy(data, bytes, alignment);
    skerry_omp_queue_places--;
    if (group) { // GOMP_task does not count tasks in groups
        omp_close_queue();
        omp_group_enter(group);
    }
    omp_queue_send(function);
}

// Makes a task without flags and copy function, in all cases that GOMP_task does not handle. Keeps a task of an explicit
// task for other threads, or hands it over, or runs it as a call if the thread has a kept task.
static __attribute__((noinline)) void make_or_keep(struct omp_thread *self, omp_function *function, void *data,
                                                   unsigned long bytes, unsigned long alignment) {
    struct omp_near *const near = &self->state.member->near;
    struct omp_task *const parent = self->state.task;
#if !OMP_TAKES_KEPT
    if (OMP_LIKELY(parent->child && near->kept.state == OMP_KEPT_NONE && !parent->is_final) &&
        fits(data, bytes, alignment) && near->can_transfer) {
        keep(near, parent, function, data, bytes, false);
        return;
    }
#endif
    if (OMP_UNLIKELY(self->can_cancel)) {
        make_slowly(function, data, NULL, (long)bytes, (long)alignment, &no_rare, MAY_DEFER);
        return;
    }
    if (near->threads == 1) return run_frame(function, data, self, parent, parent->group);
    if (!fits(data, bytes, alignment) || !near->can_transfer)
        return make_in_deque(self, function, data, bytes, alignment);
        // Other threads get a task only when this thread makes the next one, because otherwise it would soon wait for others.
#if OMP_TAKES_KEPT
    if (near->kept.state == OMP_KEPT_PRIVATE) publish_kept(near);
    if (parent->is_final || parent->owns_icv || near->kept.state != OMP_KEPT_NONE) {
        if (near->kept.state == OMP_KEPT_GIVEN) near->kept.state = OMP_KEPT_NONE;
        run_frame(function, data, self, parent, parent->group);
    } else if (!hand_over(near, self->state.team, parent, function, data, bytes))
        keep_slowly(near, parent, function, data, bytes, false);
#else
    if (OMP_UNLIKELY(near->wanted)) transfer_kept(near);
    if (parent->is_final || parent->owns_icv || near->kept.state != OMP_KEPT_NONE)
        run_frame(function, data, self, parent, parent->group);
    else keep_slowly(near, parent, function, data, bytes, false);
#endif
}

#if OMP_TAKES_KEPT
// Makes a task of the current task, whose frame for the task is ready, if the thread has no kept task that others can take.
SKERRY_ALWAYS_INLINE void make_in_explicit(struct omp_thread *self, omp_function *function, void *data,
                                           unsigned long bytes, unsigned long alignment) {
    struct omp_near *const near = &self->state.member->near;
    struct omp_task *const parent = self->state.task;
    const uint32_t state = near->kept.state;
    if (state == OMP_KEPT_NONE) {
        if (OMP_UNLIKELY(!fits(data, bytes, alignment) || !near->can_transfer || parent->is_final))
            make_or_keep(self, function, data, bytes, alignment);
        else if (!hand_over(near, parent->team, parent, function, data, bytes))
            keep(near, parent, function, data, bytes, false);
        return;
    }
    if (state == OMP_KEPT_PRIVATE) publish_kept(near);
    else if (state == OMP_KEPT_GIVEN) near->kept.state = OMP_KEPT_NONE;
    call_in_frame(function, data, self, parent->child);
}
#endif

// Makes a task as the first action of a program's thread in OpenMP.
static SKERRY_COLD void make_first(omp_function *function, void *data, long bytes, long alignment) {
    make_or_keep(omp_self(), function, data, (unsigned long)bytes, (unsigned long)alignment);
}

// Makes a task that GOMP_task neither puts into the queue nor runs. Has the arguments of GOMP_task. The compiler must not
// use what it knows of the caller (pass_on).
__attribute__((noipa)) void skerry_omp_make_otherwise(omp_function *function, void *data, void (*copy)(void *, void *),
                                                      long bytes, long alignment, bool may_defer, unsigned flags,
                                                      void **depends, int priority, void *detach) {
    if (OMP_LIKELY((flags | (uintptr_t)copy) < may_defer)) {
        struct omp_thread *const self = skerry_omp_self;
        if (OMP_UNLIKELY(!self)) return make_first(function, data, bytes, alignment);
#if OMP_TAKES_KEPT
        if (OMP_LIKELY(self->state.task->child && self->state.task_mark == self->state.member->deque.bottom)) {
            make_in_explicit(self, function, data, (unsigned long)bytes, (unsigned long)alignment);
            return;
        }
#endif
        if (!self->state.task->is_explicit && self->state.member->near.threads > 1 && !self->can_cancel)
            make_in_implicit(self, function, data, (unsigned long)bytes, (unsigned long)alignment);
        else make_or_keep(self, function, data, (unsigned long)bytes, (unsigned long)alignment);
        return;
    }
    make_rare(function, data, copy, bytes, alignment, may_defer, flags, depends, priority, detach);
}

// skerry_omp_task is GOMP_task without its last two arguments, `priority` and `detach`. They are on the stack, and to pass
// them on would take several instructions in each call, because the compiler does not see that they are already in place.
// The function passes all other arguments on by a jump (the compiler's -foptimize-sibling-calls), which leaves the stack as
// it is. So skerry_omp_make_otherwise finds the two there. omp.task_priority and omp.task_detach would fail otherwise.
void skerry_omp_task(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                     bool may_defer, unsigned flags, void **depends);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattribute-alias" // other arguments
OMP_EXPORT void GOMP_task(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                          bool may_defer, unsigned flags, void **depends, int priority, void *detach)
    __attribute__((alias("skerry_omp_task")));
static void pass_on(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                    bool may_defer, unsigned flags, void **depends) __attribute__((alias("skerry_omp_make_otherwise")));
#pragma GCC diagnostic pop

// The first quick path puts a task without flags and copy function, and with no data or with few data, into the queue. The
// second one runs such a task, with any data, as a call (near_frame.h), if the thread has a kept task and no other thread
// asks for it.
void skerry_omp_task(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                     bool may_defer, unsigned flags, void **depends) {
    const uintptr_t unusual = flags | (uintptr_t)copy; // x < may_defer means that x is 0 and may_defer is true
    const uint32_t places = skerry_omp_queue_places;
    if (OMP_LIKELY(places)) {
        if (OMP_LIKELY((unusual | (unsigned long)bytes) < may_defer) ||
            (unusual < may_defer && omp_queue_copy(data, (unsigned long)bytes, (unsigned long)alignment))) {
            skerry_omp_queue_places = places - 1;
            omp_queue_send(function);
            return;
        }
    } else if (OMP_LIKELY(unusual < may_defer)) {
        struct omp_thread *const self = skerry_omp_self;
        if (OMP_LIKELY(self != NULL)) {
            // All loads come before the branches, so the core does not wait for each of them.
            struct omp_task *const task = __atomic_load_n(&self->state.task, __ATOMIC_RELAXED);
            const struct omp_member *const member = __atomic_load_n(&self->state.member, __ATOMIC_RELAXED);
            const skerry_word mark = __atomic_load_n(&self->state.task_mark, __ATOMIC_RELAXED);
            struct omp_task *const frame = __atomic_load_n(&task->child, __ATOMIC_RELAXED);
            const skerry_word bottom = __atomic_load_n(&member->deque.bottom, __ATOMIC_RELAXED);
            const uint32_t kept = __atomic_load_n(&member->near.kept.state, __ATOMIC_RELAXED);
            const uint32_t wanted =
                OMP_TAKES_KEPT ? OMP_KEPT_PRIVATE : __atomic_load_n(&member->near.wanted, __ATOMIC_RELAXED);
            if (OMP_LIKELY(frame && bottom == mark)) {
                if (OMP_LIKELY(kept > wanted)) {
                    // The frame passes the address to the register for the call. Otherwise the compiler moves the address
                    // to this register at the begin of this function, so that a task for the queue takes a cycle more.
                    __atomic_store_n(&frame->function, function, __ATOMIC_RELAXED);
                    call_in_frame(__atomic_load_n(&frame->function, __ATOMIC_RELAXED), data, self, frame);
                    return;
                }
            }
        }
    }
    pass_on(function, data, copy, bytes, alignment, may_defer, flags, depends);
}

#endif
