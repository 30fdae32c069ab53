// SPDX-License-Identifier: BSD-3-Clause
// The choices that Tendulkar et al. 2011 compare. The first of each list is the default; environment variables choose
// the others.
//     SKERRY_OMP_PARALLEL  mailbox  the master stores a region's descriptor into the thread's mailbox
//                          queue    the descriptor goes through a queue of the thread, which copies it into its mailbox
//     SKERRY_OMP_JOIN      counter, flags   (parallel.c)
//     SKERRY_OMP_BARRIER   pair     two threads notify each other; larger teams count (barrier.c)
//                          counter  all threads count, and the last one releases the others
//                          mutex    as counter, but the count is changed under a lock
//     SKERRY_OMP_LOCK      mutex, queue     (mutex.h)
//     SKERRY_OMP_TASKS     deque    (deque.h)
//                          srq      each thread has a queue, which only it reads; a maker fills the queues in turn
//                          mrq      the team has one queue, which all its threads read
//                          locks    as srq, but each queue is a stack under a lock
// With srq and locks a task waits until its thread takes it, even if other threads have nothing to do.
#ifndef SKERRY_OMP_VARIANT_H
#define SKERRY_OMP_VARIANT_H

#include "internal.h"

enum omp_parallel_kind { OMP_PARALLEL_MAILBOX, OMP_PARALLEL_QUEUE };
enum omp_join_kind { OMP_JOIN_COUNTER, OMP_JOIN_FLAGS };
enum omp_barrier_kind { OMP_BARRIER_PAIR, OMP_BARRIER_COUNTER, OMP_BARRIER_MUTEX };
enum omp_tasks_kind { OMP_TASKS_DEQUE, OMP_TASKS_SRQ, OMP_TASKS_MRQ, OMP_TASKS_LOCKS };

struct omp_variants {
    uint32_t parallel, join, barrier, tasks;
};
extern SKERRY_PRIVATE struct omp_variants skerry_omp_variants;

// skerry_omp_descriptor_send puts the descriptor of a region into the queue of thread `to`.
// skerry_omp_descriptor_receive returns true if one had arrived, and copies it into the thread's mailbox.
SKERRY_PRIVATE void skerry_omp_descriptor_send(struct omp_thread *to, omp_function *function, void *data,
                                               struct omp_team *team, uint32_t thread_number);
SKERRY_PRIVATE bool skerry_omp_descriptor_receive(struct omp_thread *self);

// skerry_omp_tasks_add puts a ready task where other threads find it. It returns false if the queue is full.
// skerry_omp_tasks_take returns a task for which may_take(task, argument) is true, or NULL. skerry_omp_tasks_free frees
// the queues of a team.
SKERRY_PRIVATE bool skerry_omp_tasks_add(struct omp_thread *self, struct omp_task *task);
SKERRY_PRIVATE struct omp_task *
skerry_omp_tasks_take(struct omp_thread *self, bool (*may_take)(const struct omp_task *, void *), void *argument);
SKERRY_PRIVATE void skerry_omp_tasks_free(struct omp_team *team);

#endif
