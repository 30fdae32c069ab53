// SPDX-License-Identifier: BSD-3-Clause
// Declares what the portable parts of the runtime must call on machines with SKERRY_EVENTS, where tasks and barriers use
// hardware. On other machines these functions do nothing. internal.h includes this file.
#ifndef SKERRY_OMP_NEAR_THREAD_H
#define SKERRY_OMP_NEAR_THREAD_H

#if SKERRY_EVENTS
// Number of tasks that the calling thread may still put into its team's queue in hardware (near_queue.h).
extern SKERRY_PER_THREAD uint32_t skerry_omp_queue_places;
void skerry_omp_return_places(void);                      // in task.c
void skerry_omp_close_for_tasks(struct omp_thread *self); // in near_transfer.h, near_steal.h
#endif

#if SKERRY_EVENTS
// Copy of near.exchange of the calling thread's member. NULL if the thread has no team yet. A barrier needs only this word
// to arrive.
extern SKERRY_PER_THREAD struct skerry_exchange *skerry_omp_exchange;
// The calling thread's part in the additions of its last team, which has such a part (near_sum.c), and in the reductions
// (near_reduction.c) of which skerry_omp_swap is for those by compare-swap; NULL: none. The program's code loads these words (src/machine/sarc/assembler).
extern SKERRY_PER_THREAD struct omp_sum *skerry_omp_sum, *skerry_omp_reduction, *skerry_omp_swap;
// The same for additions by a counter (near_post.c).
extern SKERRY_PER_THREAD struct omp_posts *skerry_omp_post;
#endif

// Sets skerry_omp_sum and skerry_omp_reduction when the calling thread has begun a region of another team, whose member it is.
SKERRY_ALWAYS_INLINE void omp_note_sum(struct omp_member *member) {
#if OMP_HAS_SUMS
    struct omp_sum *const sum = &member->near.sum;
    skerry_omp_reduction = sum->reductions ? sum : NULL;
    skerry_omp_swap = sum->reductions && member->near.threads > OMP_SWAP_FEW ? sum : NULL;
    skerry_omp_sum = sum->task && member->near.threads > OMP_SUM_FEW ? sum : NULL;
    skerry_omp_post = member->near.posts;
#else
    (void)member;
#endif
}

// Must be called after each change of the thread's state.member.
SKERRY_ALWAYS_INLINE void omp_note_member(const struct omp_thread *self) {
#if SKERRY_EVENTS
    skerry_omp_exchange = self->state.member->near.exchange;
#else
    (void)self;
#endif
}

// Must be called by the thread that makes the first task of a region. Its next barrier then looks for tasks (near_barrier.h).
// The test of a word for this would make each barrier 7 cycles longer.
SKERRY_ALWAYS_INLINE void omp_forget_exchange(void) {
#if SKERRY_EVENTS && !SKERRY_EVENT_TARGETS
    skerry_omp_exchange = NULL;
#endif
}

// Makes the thread's next task decide anew whether it may be put into a queue in hardware. Must be called before the
// thread waits for tasks, when it begins another task or another region, and after a change of its task's control
// variables or task group.
SKERRY_ALWAYS_INLINE void omp_close_queue(void) {
#if SKERRY_EVENTS
    if (OMP_UNLIKELY(skerry_omp_queue_places)) skerry_omp_return_places();
#endif
}

// Must be called when one of the things begins of which has_extras tells.
SKERRY_ALWAYS_INLINE void omp_note_extras(struct omp_task *task) {
#if SKERRY_EVENTS
    task->has_extras = true;
#else
    (void)task;
#endif
}

// Must be called after a change of the group or the control variables of a task (near_frame.h).
SKERRY_ALWAYS_INLINE void omp_forget_frame(struct omp_task *task) {
#if SKERRY_EVENTS
    task->child = NULL;
#else
    (void)task;
#endif
}

// Must be called when the thread stops waiting, so that no other thread transfers or hands a task to it (near_transfer.h,
// near_steal.h). If such a task is under way, the function runs it.
SKERRY_ALWAYS_INLINE void omp_close_for_tasks(struct omp_thread *self) {
#if SKERRY_EVENTS
    if (OMP_UNLIKELY(self->state.member->near.open_word != NULL)) skerry_omp_close_for_tasks(self);
#else
    (void)self;
#endif
}

#endif
