// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends parallel regions. The method is from Tendulkar et al. 2011, where descriptors (function and data of a
// region) are in scratchpad memories. The master is the thread that forks the region.
// * The master stores the descriptor into the mailbox of each other thread and then runs its own part.
// * Each other thread adds 1 to a counter of the team when it has ended its part. The master waits until the counter
//   shows that all threads have ended their parts.
// * A thread that has ended its part waits at its mailbox for the next descriptor. Meanwhile it runs tasks of the old
//   region.
// * The master keeps the threads and the team for the next region of the same size. Between two regions no word is
//   reset, except after a region that made tasks and after a cancelled region.
#include "internal.h"

#include "../primitive/mailbox.h"
#include "environment/place.h"
#include "sync/wait.h"
#include "task/optional.h"
#include "variant/variant.h"

// Copies a thread's state. On machines with SKERRY_NEAR_MEMORY (simulated cores), leaves out the words about loops if
// the thread is in no loop. Such cores copy word by word, so this saves time. Other processors copy these words by wide
// registers, in fewer instructions than the test needs.
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
// pointer is still in the thread's state. The thread then need not load the pointer from the master's memory, which is
// slow on machines with SKERRY_NEAR_MEMORY.
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

// Stores the descriptor of a region (its function and data) into the mailbox of thread `i` of the team.
SKERRY_ALWAYS_INLINE void deliver(struct omp_thread *thread, omp_function *function, void *data, struct omp_team *team,
                                  uint32_t i) {
    struct omp_box *box = &thread->box;
#if SKERRY_NEAR_MEMORY
    box->team = team;
    box->thread_number = i;
    box->region = function;
    box->region_data = data;
    omp_box_deliver(box, skerry_omp_change_team, thread, thread->number);
#else
    box->function = function;
    box->data = data;
    box->team = team;
    skerry_mailbox_deliver(&box->number, box->number + 1, i, thread->number);
#endif
}

// Sets the thread's state when the thread begins its part of a region. Moves the thread to its place (the processors
// that OMP_PLACES chooses for it).
SKERRY_ALWAYS_INLINE void enter(struct omp_thread *self, struct omp_team *team, uint32_t thread_number) {
    struct omp_member *member = member_of(self, team, thread_number);
    omp_close_queue();
    self->state.team = team;
    self->state.member = member;
    self->state.task = &member->implicit;
    self->state.thread_number = thread_number;
    self->state.task_mark = member->deque.bottom;
    omp_note_member(self);
    self->state.work_share = NULL;
    if (!SKERRY_NEAR_MEMORY && OMP_UNLIKELY(member->implicit.icv != team->icv)) {
        member->implicit.icv = team->icv;
        member->implicit.team = team;
    }
    if (OMP_UNLIKELY(self->place != member->place)) skerry_omp_settle(self);
}

// Called when the thread's implicit task has ended. Frees the memory that this task owns: its control variables and its
// table of dependences.
SKERRY_ALWAYS_INLINE void leave(struct omp_thread *self, struct omp_task *task) {
    if (OMP_UNLIKELY(task->owns_icv || task->addresses != NULL)) skerry_omp_end_implicit(self, task);
}

// Begins a region of a team that skerry_omp_take_team has returned.
SKERRY_ALWAYS_INLINE void begin_region(struct omp_thread *self, struct omp_state *saved, struct omp_team *team,
                                       omp_function *function, void *data) {
    const uint32_t threads = team->threads;
    skerry_complete_stores();
    for (uint32_t i = 1; i < threads; i++) {
        struct omp_thread *thread = thread_of(self, team, i);
        skerry_publishes(&thread->box);
        if (OMP_UNLIKELY(OMP_VARIANT(OMP_PARALLEL) == OMP_PARALLEL_QUEUE)) {
            skerry_omp_descriptor_send(thread, function, data, team, i);
            continue;
        }
        deliver(thread, function, data, team, i);
    }
    copy_state(saved, &self->state);
    team->saved = saved;
    enter(self, team, 0);
#if SKERRY_NEAR_MEMORY
    if (threads > 1) omp_note_sum(self->state.member);
#endif
}

void skerry_omp_fork(struct omp_thread *self, struct omp_state *saved, omp_function *function, void *data,
                     uint32_t threads, uint32_t flags) {
    struct omp_team *team = skerry_omp_take_team(self, threads);
    if (OMP_UNLIKELY(skerry_omp_device.places_threads)) skerry_omp_place_team(self, team, flags);
    begin_region(self, saved, team, function, data);
}

// Reports to the master (thread 0) that this thread has ended its part of the region.
SKERRY_ALWAYS_INLINE void join(struct omp_thread *self, struct omp_member *member) {
#if SKERRY_EVENTS
    struct skerry_event_counter *const counter = member->near.join_counter;
    if (OMP_LIKELY(counter != NULL)) {
        skerry_complete_stores();
        skerry_event_counter_add(counter, 1);
        return;
    }
#endif
    struct omp_team *team = self->state.team;
    skerry_publishes(&team->joined);
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_JOIN) == OMP_JOIN_FLAGS)) {
        skerry_omp_flag_set(team, member);
        return;
    }
    const skerry_word wanted = (skerry_word)(++member->regions * (omp_threads(self) - 1));
    skerry_counter_add_towards(&team->joined, 1, wanted, team->eventcount);
}

#if SKERRY_EVENTS
// Does what `join` does, and returns true, if the thread has nothing else to do at the end of its part of the region.
SKERRY_ALWAYS_INLINE bool join_quickly(const struct omp_thread *self) {
    struct skerry_event_counter *const counter = self->joined;
    if (OMP_UNLIKELY(counter == NULL)) return false;
    skerry_complete_stores();
    skerry_event_counter_add(counter, 1);
    return true;
}
#elif SKERRY_NEAR_MEMORY
SKERRY_ALWAYS_INLINE bool join_quickly(const struct omp_thread *self) {
    (void)self;
    return false;
}
#endif

// Returns true if all other threads have ended the region. The caller must have increased to_join for this region
// before.
SKERRY_ALWAYS_INLINE bool have_joined(const struct omp_team *team) {
#if SKERRY_EVENTS
    if (OMP_LIKELY(team->join_counter != NULL))
        return skerry_event_counter_value(team->join_counter) == (uint32_t)team->to_join;
#endif
    return skerry_counter_has_reached(&team->joined, team->to_join);
}

// Makes the additions of other threads that were left for the end of the region, and reports the ends of these threads
// (near_sum.c). The master calls this when its own part of the region has ended. Returns true if all threads have ended.
SKERRY_ALWAYS_INLINE bool omp_finish_sum(struct omp_thread *self, struct omp_team *team) {
#if OMP_HAS_SUMS
    bool (*const finish)(struct omp_thread *, struct omp_team *) = self->finish_sum;
    if (OMP_LIKELY(!finish)) return false;
    self->finish_sum = NULL;
    return finish(self, team);
#else
    (void)self, (void)team;
    return false;
#endif
}

SKERRY_ALWAYS_INLINE void await_others(struct omp_thread *self, struct omp_team *team) {
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_JOIN) == OMP_JOIN_FLAGS)) {
        skerry_omp_flags_await(self, team);
        return;
    }
    team->to_join += team->threads - 1;
    (void)omp_finish_sum(self, team);
    OMP_HELP_UNTIL(self, team, have_joined(team));
}

#include "near_region.h"

void skerry_omp_join(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    leave(self, self->state.task);
    if (team->threads > 1) await_others(self, team);
    skerry_sees(&team->joined);
    if (OMP_UNLIKELY(team->tasks_made)) skerry_omp_finish_tasks(self);
    if (OMP_UNLIKELY(team->cancelled)) skerry_omp_forget_counts(team);
    copy_state(&self->state, team->saved);
    omp_note_member(self);
    skerry_omp_keep_team(self, team);
#if SKERRY_NEAR_MEMORY
    note_repeatable(self, team);
#endif
}

#if SKERRY_NEAR_MEMORY
static void do_nothing(void *data) {
    (void)data;
}

void skerry_omp_gather(struct omp_thread *self, struct omp_team *team) {
    struct omp_state saved;
    self->pool_used += team->threads - 1;
    begin_region(self, &saved, team, do_nothing, NULL);
    skerry_omp_join(self);
    omp_forget_repeatable(self); // this region's number of threads is not what a construct asked for
}
#endif

// -- The other threads -------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE bool has_region(struct omp_thread *self) {
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_PARALLEL) == OMP_PARALLEL_QUEUE) && skerry_omp_descriptor_receive(self))
        return true;
#if SKERRY_NEAR_MEMORY
    return omp_has_descriptor(self);
#else
    return skerry_mailbox_has(&self->box.number, self->regions + 1);
#endif
}

static void wait_for_region(struct omp_thread *self) {
    SKERRY_PAUSE(pause);
    struct omp_team *team = self->state.team;
    bool rests = false;
    for (uint32_t searches = 1; !has_region(self); searches += OMP_POLL_COUNTS) {
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
    if (team) omp_close_for_tasks(self);
    if (!SKERRY_NEAR_MEMORY)
        self->regions = self->box.number; // unchanged if the descriptor came through a queue (variant/region.c)
}

#if SKERRY_NEAR_MEMORY

// Prepares the thread's state for the next region in the same team. Also forgets the last region that this thread began
// as a master. The control variables of the team can be different in the next region.
SKERRY_ALWAYS_INLINE void reset(struct omp_thread *self, const struct omp_member *member) {
    omp_forget_repeatable(self);
    self->state.task_mark = member->deque.bottom;
    self->state.work_share = NULL;
}

void skerry_omp_change_team(void *given) {
    struct omp_thread *self = given;
#if SKERRY_EVENTS
    self->joined = self->ends ? NULL : omp_member(self->box.team, self->box.thread_number)->near.join_counter;
#endif
    if (self->ends) return;
    omp_function *function = self->box.region;
    void *data = self->box.region_data;
    enter(self, self->box.team, self->box.thread_number);
    omp_note_sum(self->state.member);
    function(data);
}

// Waits until a descriptor (a region's function and data) has arrived in the thread's mailbox, and runs tasks
// meanwhile. Returns the descriptor's function.
SKERRY_ALWAYS_INLINE omp_function *await_slowly(struct omp_thread *self) {
    wait_for_region(self);
    return self->box.function;
}

// Forwards the descriptor of a repeated region to the threads below this thread in the tree. The master sends the other
// kind of descriptor itself to all threads, because the team is possibly another one then. Needs no fence, because the
// master has completed its stores before it sent the descriptor.
SKERRY_ALWAYS_INLINE void forward(const struct omp_thread *self, omp_function *function, void *data) {
    if (OMP_UNLIKELY(function == skerry_omp_change_team)) return;
    omp_boxes_deliver(self->forward_boxes, OMP_BOXES,
                      skerry_pair_make((uint32_t)(uintptr_t)function, (uint32_t)(uintptr_t)data));
}

// Does what is to do at the end of the thread's part of a region, if this is more than join_quickly does. Returns false
// if the thread ends.
static SKERRY_COLD bool join_slowly(struct omp_thread *self) {
    struct omp_member *member = self->state.member;
    if (self->ends) return false;
#if OMP_HAS_SUMS
    if (self->finish_sum) { // the thread's addition also reports its end
        self->joined = member->near.join_counter;
        return true;
    }
#endif
    omp_close_queue();
    if (owns_memory(&member->implicit)) skerry_omp_end_implicit(self, &member->implicit);
#if SKERRY_EVENTS
    self->joined = member->near.join_counter;
#endif
    join(self, member);
    return true;
}

// Polls the thread's mailbox several times. Returns the function of a descriptor, or NULL if none has arrived. A thread polls
// several times between two tests of other words, because it then responds earlier.
SKERRY_ALWAYS_INLINE omp_function *poll_box(const struct omp_thread *self) {
    omp_function *function;
    if (OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL) ||
        OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL) ||
        OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL) ||
        OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL) ||
        OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL) ||
        OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL) ||
        OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL))
        return function;
    return __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE);
}

#if OMP_HAS_SUMS
// Waits for the next region of a thread that has sent an addition at the end of its last one (near_sum.c). If none arrives in
// time, the thread makes the addition itself if nobody else has made it. Returns the region's function, or NULL if none has
// arrived.
SKERRY_ALWAYS_INLINE omp_function *await_after_sum(struct omp_thread *self, const struct omp_member *member) {
    bool (*const finish)(struct omp_thread *, struct omp_team *) = self->finish_sum;
    self->finish_sum = NULL;
    uint32_t polls = member->near.sum.polls;
    do {
        omp_function *const function = poll_box(self);
        if (OMP_LIKELY(function != NULL)) return function; // the last region has ended, so the addition was made
    } while (--polls && OMP_LIKELY(!__atomic_load_n(&member->near.tasks_made, __ATOMIC_RELAXED)));
    (void)finish(self, self->state.team);
    return NULL;
}
#endif

// Main function of a thread that the runtime has started. As long as no task was made in the region, the thread polls
// its mailbox in this function. A call would make the response to a descriptor slower. `member` is a local variable, so
// the compiler can keep it in a register.
void skerry_omp_work(void *given) {
    struct omp_thread *self = given;
    skerry_omp_self = self;
#if OMP_HAS_SUMS
    skerry_omp_post = NULL;
    skerry_omp_sum = skerry_omp_reduction = skerry_omp_swap = NULL;
#endif
    omp_function *function = await_slowly(self);
    if (self->ends) return skerry_omp_thread_free(self); // before its first region, so it has no member yet
    for (;;) {
        void *const data = self->box.data; // arrived before the function
        self->box.function = NULL;
        if (OMP_UNLIKELY(self->forwards)) forward(self, function, data);
        function(data);
        if (OMP_UNLIKELY(!join_quickly(self)) && !join_slowly(self)) break;
        struct omp_member *const member = self->state.member;
        reset(self, member);
#if OMP_HAS_SUMS
        if (OMP_UNLIKELY(self->finish_sum != NULL) && OMP_LIKELY((function = await_after_sum(self, member)) != NULL))
            continue;
#endif
        do {
            if (OMP_LIKELY((function = poll_box(self)) != NULL)) break;
        } while (OMP_LIKELY(!__atomic_load_n(&member->near.tasks_made, __ATOMIC_RELAXED)));
        if (OMP_LIKELY(function)) continue;
        function = await_slowly(self);
        reset(self, member);
    }
    skerry_omp_thread_free(self);
}

#else

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
        leave(self, self->state.task);
        join(self, self->state.member);
    }
    skerry_omp_thread_free(self);
}

#endif

// -- What compilers call -----------------------------------------------------------------------------------------------

#if SKERRY_NEAR_MEMORY
// Runs a region that cannot use the team of the last region at once (struct omp_repeatable). Returns when the region
// has ended.
SKERRY_COLD static void run_region(omp_function *function, void *data, unsigned threads, unsigned flags) {
    struct omp_thread *self = omp_self();
    struct omp_state saved;
    skerry_omp_fork(self, &saved, function, data, threads, flags);
    function(data);
    skerry_omp_join(self);
}

OMP_EXPORT void GOMP_parallel(omp_function *function, void *data, unsigned threads, unsigned flags) {
    struct omp_thread *self = skerry_omp_self;
    if (OMP_UNLIKELY(!self)) return run_region(function, data, threads, flags);
    // The descriptors are delivered before all other work, so that the other threads begin early. The first loads stand
    // before the tests, where the core would otherwise wait for the words that it tests; `volatile` keeps them there.
    volatile struct omp_repeatable *const early = &self->repeatable;
    const struct omp_repeatable *const last = &self->repeatable;
    const struct omp_task *const task = early->task;
    const uint32_t has_many = early->has_many;
    const uint32_t wanted = early->wanted;
    struct omp_box *const first = early->boxes[0], *const second = early->boxes[1];
    if (OMP_UNLIKELY(task != self->state.task || wanted != threads)) return run_region(function, data, threads, flags);
    if (OMP_UNLIKELY(has_many)) {
        const skerry_pair descriptor = skerry_pair_make((uint32_t)(uintptr_t)function, (uint32_t)(uintptr_t)data);
        skerry_complete_stores();
        omp_boxes_deliver(last->boxes, OMP_BOXES_OF_MASTER, descriptor);
    } else { // two stores for each of a few threads take less time than to make a pair
        struct omp_box *const third = early->boxes[2];
        skerry_complete_stores();
        omp_box_deliver(first, function, data, 0);
        struct omp_box *const fourth = early->boxes[3];
        omp_box_deliver(second, function, data, 0);
        omp_box_deliver(third, function, data, 0);
        omp_box_deliver(fourth, function, data, 0);
    }
    if (OMP_UNLIKELY((uintptr_t)self->state.work_share | (uintptr_t)self->state.ordered_work_share))
        return repeat_in_loop(self, function, data);
    repeat(self, function, data);
}
#else
OMP_EXPORT void GOMP_parallel(omp_function *function, void *data, unsigned threads, unsigned flags) {
    struct omp_thread *self = omp_self();
    struct omp_state saved;
    skerry_omp_fork(self, &saved, function, data, threads, flags);
    function(data);
    skerry_omp_join(self);
}
#endif

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
