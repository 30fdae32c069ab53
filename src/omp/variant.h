// SPDX-License-Identifier: BSD-3-Clause
// The variants of constructs that Tendulkar et al. 2011 compare. Environment variables choose them. The first value of
// each variable is the default.
//     SKERRY_OMP_PARALLEL  mailbox  the master stores a region's descriptor into each thread's mailbox
//                          queue    the master sends the descriptor through a queue to each thread, which copies it
//                                   into its own mailbox
//     SKERRY_OMP_JOIN      counter  threads that end a region add to one word of the team (parallel.c)
//                          flags    each of these threads stores into a word of its own
//     SKERRY_OMP_BARRIER   pair     two threads exchange flags; in larger teams the threads add to a counter
//                                   (barrier.c)
//                          counter  the threads of every team add to a counter, and the last thread releases the others
//                          mutex    like counter, but a lock protects the counter
//     SKERRY_OMP_LOCK      mutex    a thread that finds the lock free takes it (mutex.h)
//                          queue    threads get the lock in the order in which they ask
//     SKERRY_OMP_TASKS     deque    each thread has a deque, from which other threads steal (deque.h)
//                          srq      (single-reader queues) each thread has a queue that only it reads; a thread adds
//                                   its tasks to all queues in turn
//                          mrq      (many-reader queue) the team has one queue that all its threads read
//                          locks    like srq, but each queue is a stack under a lock
// With srq and locks a task stays in its queue until the owner of the queue takes it, even if other threads are idle.
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
// skerry_omp_descriptor_receive copies a descriptor that has arrived into the mailbox of `self`. It returns false if no
// descriptor has arrived.
SKERRY_PRIVATE void skerry_omp_descriptor_send(struct omp_thread *to, omp_function *function, void *data,
                                               struct omp_team *team, uint32_t thread_number);
SKERRY_PRIVATE bool skerry_omp_descriptor_receive(struct omp_thread *self);

// skerry_omp_tasks_add adds a ready task to a queue or stack. It returns false if that queue or stack is full.
// skerry_omp_tasks_take returns a task for which may_take(task, argument) is true, or NULL if it found no such task.
// skerry_omp_tasks_free frees the queues of a team.
SKERRY_PRIVATE bool skerry_omp_tasks_add(struct omp_thread *self, struct omp_task *task);
SKERRY_PRIVATE struct omp_task *
skerry_omp_tasks_take(struct omp_thread *self, bool (*may_take)(const struct omp_task *, void *), void *argument);
SKERRY_PRIVATE void skerry_omp_tasks_free(struct omp_team *team);

#endif
