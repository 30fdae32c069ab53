// SPDX-License-Identifier: BSD-3-Clause
// Implements regions that repeat the last region of their master, on machines with SKERRY_NEAR_MEMORY: the master uses
// the team of that region again, without a search for a team. parallel.c includes this file.
#ifndef SKERRY_OMP_NEAR_REGION_H
#define SKERRY_OMP_NEAR_REGION_H

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
    omp_note_sum(omp_member(team, 0));
}

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
    while (!have_joined(team) && omp_is_quiet(team)) {
    }
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

#if OMP_HAS_SUMS
// Does what await_end does if additions of the other threads must be made first. A function of its own, so await_end saves no
// registers for this call.
static __attribute__((noinline)) void await_sum(struct omp_thread *self, struct omp_team *team,
                                                const uint32_t *tasks_made) {
    if (OMP_LIKELY(omp_finish_sum(self, team)) && OMP_LIKELY(!__atomic_load_n(tasks_made, __ATOMIC_RELAXED))) return;
    if (!await_quickly(team, tasks_made)) await_slow_end(self, team);
}
#endif

// Waits until the other threads of a repeated region have ended it. A function of its own, which `repeat` calls as its
// last action. So the registers are restored before the wait, and not after it.
static __attribute__((noinline)) void await_end(struct omp_thread *self, struct omp_team *team,
                                                const uint32_t *tasks_made) {
#if OMP_HAS_SUMS
    if (OMP_UNLIKELY(self->finish_sum != NULL)) return await_sum(self, team, tasks_made);
#endif
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

#endif
