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

void skerry_omp_fork(struct omp_thread *self, struct omp_state *saved, omp_function *function, void *data,
                     uint32_t threads, uint32_t flags) {
    struct omp_team *team = skerry_omp_take_team(self, threads);
    if (OMP_UNLIKELY(skerry_omp_device.places_threads)) skerry_omp_place_team(self, team, flags);
    threads = team->threads;
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

SKERRY_ALWAYS_INLINE void await_others(struct omp_thread *self, struct omp_team *team) {
    if (OMP_UNLIKELY(OMP_VARIANT(OMP_JOIN) == OMP_JOIN_FLAGS)) {
        skerry_omp_flags_await(self, team);
        return;
    }
    team->to_join += team->threads - 1;
    OMP_HELP_UNTIL(self, team, have_joined(team));
}

#if SKERRY_NEAR_MEMORY
// Stores in `boxes` the mailboxes of up to `count` threads of the team, from thread `first` on. `self` is the team's master.
// Elements without a thread get `unused`. Returns true if there are such threads.
static SKERRY_COLD bool set_boxes(const struct omp_thread *self, struct omp_box **boxes, uint32_t count,
                                  struct omp_box *unused, const struct omp_team *team, uint32_t first) {
    for (uint32_t i = 0; i < count; i++)
        boxes[i] = first + i < team->threads ? &thread_of(self, team, first + i)->box : unused;
    return first < team->threads;
}

// Notes that the calling thread can use `team` for its next region too, if this region is begun by the same task and
// asks for the same number of threads. The control variables are the same then, because a task that sets one calls
// omp_forget_repeatable (skerry_omp_own_icv).
static SKERRY_COLD void note_repeatable(struct omp_thread *self, struct omp_team *team) {
    const struct omp_icv *icv = self->state.task->icv;
    omp_forget_repeatable(self);
    // A region of an explicit task is not noted, because another task can have the same address later. An implicit task
    // keeps its address, and each region that its thread ends is noted in place of the last one. So the noted task
    // cannot belong to an older region of its team. Regions that can be cancelled are not noted, so the end of a
    // repeated region needs no test for that.
    if (self->state.task->is_explicit || skerry_omp_device.places_threads || skerry_omp_device.threads_levels > 1 ||
        skerry_omp_device.bind_levels > 1 || icv->dynamic || icv->thread_limit != UINT32_MAX || self->can_cancel)
        return;
    struct omp_repeatable *last = &self->repeatable;
    set_boxes(self, last->boxes, OMP_BOXES_OF_MASTER, &self->unused, team, 1);
    last->has_many = team->threads > OMP_BOXES + 1;
    for (uint32_t i = 1; i < team->threads; i++) {
        struct omp_thread *thread = thread_of(self, team, i);
        const uint32_t first = OMP_BOXES_OF_MASTER + 1 + OMP_BOXES * (i - 1);
        thread->forwards = set_boxes(self, thread->forward_boxes, OMP_BOXES, &thread->unused, team, first);
    }
    last->wanted = team->wanted;
    team->saved_room.task = self->state.task;
    team->saved_room.member = self->state.member;
    last->team = team;
    last->task = self->state.task;
}
#endif

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

// Puts the team of a repeated region back into the list of kept teams (teams that the thread keeps for its next
// regions), and notes it as the team of the last region. A repeated region uses the team of the thread's last region
// again (`repeat`). During the region the team normally stays in the list. But if the thread begins another region
// inside, skerry_omp_take_team removes the team from the list, and the other region is noted as the last one. Called
// after a repeated region in which this happened.
static SKERRY_COLD void keep_repeated(struct omp_thread *self, struct omp_team *team) {
    skerry_omp_keep_team(self, team);
    note_repeatable(self, team);
}

// Waits until the other threads of a repeated region (see above) have ended it. Called if await_quickly returned false:
// tasks were made in the region, or the team has no counter in hardware. The thread runs tasks of the region while it
// waits, so it first enters the team of the region again.
static SKERRY_COLD void await_slow_end(struct omp_thread *self, struct omp_team *team) {
    const struct omp_state outer = self->state;
    enter(self, team, 0);
    self->repeated = team;
    OMP_HELP_UNTIL(self, team, have_joined(team));
    if (team->tasks_made) skerry_omp_finish_tasks(self);
    self->state = outer;
    omp_note_member(self);
    if (self->repeated != team) keep_repeated(self, team);
    self->repeated = NULL;
}

// Returns a value other than 0 if the task owns memory that must be freed when the task ends (as in `leave`). Combines
// the two words without a branch, so the caller needs only one branch.
SKERRY_ALWAYS_INLINE uintptr_t owns_memory(const struct omp_task *task) {
    return (uintptr_t)task->addresses | task->owns_icv;
}

// Waits until all other threads have ended the region, and returns true. Returns false, without a further wait, if the
// caller must call await_slow_end instead.
SKERRY_ALWAYS_INLINE bool await_quickly(const struct omp_team *team, const uint32_t *tasks_made) {
#if SKERRY_EVENTS
    const struct skerry_event_counter *const counter = team->join_counter;
    const uint32_t wanted = team->to_join;
    if (OMP_UNLIKELY(!counter)) return team->threads == 1 && !*tasks_made;
    // Loads the counter several times before it loads the word that says whether tasks were made, because the end of
    // the region is noticed earlier then.
    while (skerry_event_counter_value(counter) != wanted && skerry_event_counter_value(counter) != wanted &&
           skerry_event_counter_value(counter) != wanted) {
        if (OMP_UNLIKELY(__atomic_load_n(tasks_made, __ATOMIC_RELAXED))) return false;
    }
    // All threads have ended the region, so this load sees what the threads stored before.
    return OMP_LIKELY(!__atomic_load_n(tasks_made, __ATOMIC_RELAXED));
#else
    (void)team, (void)tasks_made;
    return false;
#endif
}

// Frees the memory that the master's implicit task owns at the end of a repeated region. `owns_memory` of the thread
// stays true if the region was begun by a task that owns memory too.
static SKERRY_COLD void end_owner(struct omp_thread *self, struct omp_task *task) {
    if (owns_memory(task)) skerry_omp_end_implicit(self, task);
    self->owns_memory = self->state.team->level > 1;
}

// Waits until the other threads of a repeated region have ended it. A function of its own, which `repeat` calls as its
// last action. So the registers are restored before the wait, and not after it.
static __attribute__((noinline)) void await_end(struct omp_thread *self, struct omp_team *team,
                                                const uint32_t *tasks_made) {
    if (OMP_UNLIKELY(!await_quickly(team, tasks_made))) await_slow_end(self, team);
}

// Runs a region with the team of the thread's last region (struct omp_repeatable). The caller has delivered the
// descriptor to the mailboxes in `boxes`. This function runs the calling thread's part, and waits until all threads
// have ended the region. The thread restores its state of the outer team before the wait, so this takes no time after
// the wait.
static __attribute__((noinline)) void repeat(struct omp_thread *self, omp_function *function, void *data) {
    struct omp_team *const team = self->repeatable.team;
    struct omp_member *const member = omp_member(team, 0);
    team->saved_room.task_mark = self->state.task_mark; // note_repeatable has stored task and member
    omp_close_queue();
    self->state.team = team;
    self->state.member = member;
    self->state.task = &member->implicit;
    self->state.thread_number = 0;
    self->state.task_mark = member->deque.bottom;
    omp_note_member(self);
    self->repeated = team;
    function(data);
    if (OMP_UNLIKELY(self->owns_memory)) end_owner(self, &member->implicit);
    team->to_join += team->threads - 1;
    self->state.team = team->outer;
    self->state.member = team->saved_room.member;
    self->state.task = team->saved_room.task;
    self->state.thread_number = team->outer_number;
    self->state.task_mark = team->saved_room.task_mark;
    omp_note_member(self);
    self->state.work_share = NULL;
    self->state.ordered_work_share = NULL;
    if (OMP_UNLIKELY(self->repeated != team)) keep_repeated(self, team);
    self->repeated = NULL;
    await_end(self, team, &member->near.tasks_made);
}

// Does the same as `repeat`, but keeps the words of the thread's state that describe a loop. Called if the thread is in
// a loop.
static SKERRY_COLD void repeat_in_loop(struct omp_thread *self, omp_function *function, void *data) {
    struct omp_state outer = self->state;
    self->state.work_share = NULL;
    self->state.ordered_work_share = NULL;
    repeat(self, function, data);
    self->state = outer;
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
    if (owns_memory(&member->implicit)) skerry_omp_end_implicit(self, &member->implicit);
#if SKERRY_EVENTS
    self->joined = member->near.join_counter;
#endif
    join(self, member);
    return true;
}

// Main function of a thread that the runtime has started. As long as no task was made in the region, the thread polls
// its mailbox in this function. A call would make the response to a descriptor slower. `member` is a local variable, so
// the compiler can keep it in a register.
void skerry_omp_work(void *given) {
    struct omp_thread *self = given;
    skerry_omp_self = self;
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
        do {
            // Polls several times before the test for tasks, because the thread then responds earlier.
            if (OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL) ||
                OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL) ||
                OMP_LIKELY((function = __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE)) != NULL))
                break;
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
    // The descriptors are delivered before all other work, so that the other threads begin early.
    struct omp_repeatable *last = &self->repeatable;
    struct omp_box *const first = last->boxes[0];
    if (OMP_UNLIKELY(last->task != self->state.task || last->wanted != threads))
        return run_region(function, data, threads, flags);
    skerry_complete_stores();
    omp_box_deliver(first, function, data, 0);
    for (uint32_t i = 1; i < OMP_BOXES; i++) omp_box_deliver(last->boxes[i], function, data, 0);
    if (OMP_UNLIKELY(last->has_many))
        omp_boxes_deliver(last->boxes + OMP_BOXES, OMP_BOXES_OF_MASTER - OMP_BOXES,
                          skerry_pair_make((uint32_t)(uintptr_t)function, (uint32_t)(uintptr_t)data));
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
