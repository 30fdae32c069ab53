// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends parallel regions. The master is the thread that forks the region. It stores the region's descriptor
// (function and data) into the mailbox of each other thread and then runs its own part. Each other thread adds 1 to a
// counter of the team when it has ended its part, and the master waits until the counter shows that all threads have
// ended their parts. The method is from Tendulkar et al. 2011, where the descriptors are in scratchpad memories. When a
// thread has ended its part, it waits at its mailbox for the next descriptor. While it waits, it runs tasks of the old
// region. The master keeps the threads and the team for the next region of the same size. Between two regions no word
// is reset, except after a region that made tasks and after a cancelled region.
#include "internal.h"

#include "../primitive/mailbox.h"
#include "environment/place.h"
#include "sync/wait.h"
#include "variant/variant.h"

// Copies a thread's state. On machines with SKERRY_NEAR_MEMORY, leaves out the words about the last loop if there was
// none, because the simulated cores copy word by word. Processors with wide registers copy these words in fewer
// instructions than the test needs.
SKERRY_ALWAYS_INLINE void copy_state(struct omp_state *to, const struct omp_state *from) {
    if (!SKERRY_NEAR_MEMORY || OMP_UNLIKELY(from->work_share || from->ordered_work_share)) {
        *to = *from;
        return;
    }
    to->team = from->team;
    to->member = from->member;
    to->task = from->task;
    to->thread_number = from->thread_number;
    to->task_mark = from->task_mark;
    to->work_share = NULL;
    to->ordered_work_share = NULL;
}

// Returns the struct omp_member of the calling thread in a team. If the thread's last region had the same team, the
// pointer is still in the thread's state. So the thread need not load the pointer from the master's memory. Such a load
// is slow on machines with SKERRY_NEAR_MEMORY.
SKERRY_ALWAYS_INLINE struct omp_member *member_of(const struct omp_thread *self, const struct omp_team *team,
                                                  uint32_t thread_number) {
    if (SKERRY_NEAR_MEMORY && OMP_LIKELY(self->state.team == team)) return self->state.member;
    return omp_member(team, thread_number);
}

// Returns the thread with number `i` in a team. The calling thread must be the master of the team.
SKERRY_ALWAYS_INLINE struct omp_thread *thread_of(const struct omp_thread *self, const struct omp_team *team,
                                                  uint32_t i) {
    return SKERRY_NEAR_MEMORY ? self->pool[team->pool_base + i - 1].thread : omp_member(team, i)->thread;
}

// Returns the number of the next descriptor for the mailbox `box` of thread `i` of the team. If the mailbox lies in
// that thread's memory (SKERRY_NEAR_MEMORY), the master counts the descriptors itself, because a load from the mailbox
// would be slow.
SKERRY_ALWAYS_INLINE uint32_t next_number(struct omp_thread *self, const struct omp_team *team, uint32_t i,
                                          const struct omp_box *box) {
    return SKERRY_NEAR_MEMORY ? ++self->pool[team->pool_base + i - 1].sent : box->number + 1;
}

// Sets the thread's state when the thread begins its part of a region, and moves the thread to its place.
SKERRY_ALWAYS_INLINE void enter(struct omp_thread *self, struct omp_team *team, uint32_t thread_number) {
    struct omp_member *member = member_of(self, team, thread_number);
    self->state.team = team;
    self->state.member = member;
    self->state.task = &member->implicit;
    self->state.thread_number = thread_number;
    self->state.task_mark = member->deque.bottom;
    self->state.work_share = NULL;
    if (!SKERRY_NEAR_MEMORY && OMP_UNLIKELY(member->implicit.icv != team->icv)) {
        member->implicit.icv = team->icv;
        member->implicit.team = team;
    }
    if (OMP_UNLIKELY(self->place != member->place)) skerry_omp_settle(self);
}

// Called when the thread's implicit task has ended. Frees the memory that this task owns: its control variables and its
// table of dependences.
SKERRY_ALWAYS_INLINE void leave(struct omp_thread *self) {
    struct omp_task *task = self->state.task;
    if (OMP_UNLIKELY(task->owns_icv || task->addresses != NULL)) skerry_omp_end_implicit(self, task);
}

void skerry_omp_fork(struct omp_thread *self, struct omp_state *saved, omp_function *function, void *data,
                     uint32_t threads, uint32_t flags) {
    struct omp_team *team = skerry_omp_take_team(self, threads);
    if (OMP_UNLIKELY(skerry_omp_device.places_threads)) skerry_omp_place_team(self, team, flags);
    threads = team->threads;
    skerry_complete_stores();
    for (uint32_t i = 1; i < threads; i++) {
        struct omp_thread *thread = thread_of(self, team, i);
        struct omp_box *box = &thread->box;
        skerry_publishes(box);
        if (OMP_UNLIKELY(OMP_VARIANT(OMP_PARALLEL) == OMP_PARALLEL_QUEUE)) {
            skerry_omp_descriptor_send(thread, function, data, team, i);
            continue;
        }
        box->function = function;
        box->data = data;
        box->team = team;
        skerry_mailbox_deliver(&box->number, next_number(self, team, i, box), i, thread->number);
    }
    copy_state(saved, &self->state);
    team->saved = saved;
    enter(self, team, 0);
}

// Reports to the master that this thread has ended its part of the region.
SKERRY_ALWAYS_INLINE void join(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    struct omp_member *member = self->state.member;
    skerry_publishes(&team->joined);
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_JOIN) == OMP_JOIN_FLAGS)) {
        skerry_omp_flag_set(team, member);
        return;
    }
    const skerry_word wanted = (skerry_word)(++member->regions * (omp_threads(self) - 1));
    skerry_counter_add_towards(&team->joined, 1, wanted, team->eventcount);
}

SKERRY_ALWAYS_INLINE void await_others(struct omp_thread *self, struct omp_team *team) {
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_JOIN) == OMP_JOIN_FLAGS)) {
        skerry_omp_flags_await(self, team);
        return;
    }
    team->to_join += team->threads - 1;
    OMP_HELP_UNTIL(self, team, skerry_counter_has_reached(&team->joined, team->to_join));
}

void skerry_omp_join(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    leave(self);
    if (team->threads > 1) await_others(self, team);
    skerry_sees(&team->joined);
    if (OMP_UNLIKELY(team->tasks_made)) skerry_omp_finish_tasks(self);
    if (OMP_UNLIKELY(team->cancelled)) skerry_omp_forget_counts(team);
    copy_state(&self->state, team->saved);
    skerry_omp_keep_team(self, team);
}

// -- The other threads -------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE bool has_region(struct omp_thread *self) {
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_PARALLEL) == OMP_PARALLEL_QUEUE) && skerry_omp_descriptor_receive(self))
        return true;
    return skerry_mailbox_has(&self->box.number, self->regions + 1);
}

static void wait_for_region(struct omp_thread *self) {
    SKERRY_PAUSE(pause);
    struct omp_team *team = self->state.team;
    bool rests = false;
    for (uint32_t searches = 1; !has_region(self); searches += !team || omp_poll_counts(self)) {
        if (team && omp_may_help(self, &pause, searches) &&
            skerry_omp_run_some_task(self, skerry_pause_is_armed(&pause))) {
            skerry_pause_again(&pause);
            skerry_wake(team->eventcount); // the master possibly waits for this task (skerry_omp_finish_tasks)
        } else {
            if (skerry_pause_is_armed(&pause)) {
                rests = true;
                skerry_worker_is_idle(true);
            }
            skerry_pause(&pause, skerry_my_pe());
        }
    }
    if (rests) skerry_worker_is_idle(false);
    self->regions = self->box.number; // unchanged if the descriptor came through a queue (variant/region.c)
}

void skerry_omp_work(void *given) {
    struct omp_thread *self = given;
    skerry_omp_self = self;
    for (;;) {
        wait_for_region(self);
        if (OMP_UNLIKELY(self->ends)) break;
        skerry_sees(&self->box);
        struct omp_team *team = self->box.team;
        enter(self, team, self->box.thread_number);
        self->box.function(self->box.data);
        leave(self);
        join(self);
    }
    skerry_omp_thread_free(self);
}

// -- What compilers call -----------------------------------------------------------------------------------------------

OMP_EXPORT void GOMP_parallel(omp_function *function, void *data, unsigned threads, unsigned flags) {
    struct omp_thread *self = omp_self();
    struct omp_state saved;
    skerry_omp_fork(self, &saved, function, data, threads, flags);
    function(data);
    skerry_omp_join(self);
}

// Begins a region and returns. After that the program itself runs the master's part, and then calls GOMP_parallel_end.
OMP_EXPORT void GOMP_parallel_start(omp_function *function, void *data, unsigned threads) {
    struct omp_thread *self = omp_self();
    struct omp_state saved;
    skerry_omp_fork(self, &saved, function, data, threads, 0);
    struct omp_team *team = self->state.team;
    team->saved_room = saved;
    team->saved = &team->saved_room;
}

OMP_EXPORT void GOMP_parallel_end(void) {
    struct omp_thread *self = omp_self();
    struct omp_team *team = self->state.team;
    skerry_omp_join(self);
    skerry_memory_give(team->started);
    team->started = NULL;
}
