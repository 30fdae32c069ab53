// SPDX-License-Identifier: BSD-3-Clause
// The ways that Tendulkar et al. 2011 compare, beside those that are used unless a variable says otherwise.
//     SKERRY_OMP_PARALLEL  mailbox  a region's descriptor is stored into the thread's box
//                          queue    it goes through a queue of the thread's, and is copied out of that
//     SKERRY_OMP_JOIN      counter, flags   (parallel.c)
//     SKERRY_OMP_BARRIER   pair     two threads tell each other, more count (barrier.c)
//                          counter  all count, and the last one releases the others
//                          mutex    the same with a lock around the count
//     SKERRY_OMP_LOCK      mutex, queue     (mutex.h)
//     SKERRY_OMP_TASKS     deque    (deque.h)
//                          srq      each thread has a queue, from which only it takes; makers go round
//                          mrq      the team has one queue, from which all take
//                          locks    as srq, but a stack under a lock
// With srq and locks a task waits until its thread takes it, even when others have nothing to do.
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

// A queue for the descriptors of a thread's regions; and whether one has come, which is then in the box.
SKERRY_PRIVATE void skerry_omp_descriptor_send(struct omp_thread *to, omp_function *function, void *data,
                                               struct omp_team *team, uint32_t thread_number);
SKERRY_PRIVATE bool skerry_omp_descriptor_receive(struct omp_thread *self);

// A task that is ready, where others find it. False: there is no room.
SKERRY_PRIVATE bool skerry_omp_tasks_add(struct omp_thread *self, struct omp_task *task);
SKERRY_PRIVATE struct omp_task *
skerry_omp_tasks_take(struct omp_thread *self, bool (*may_take)(const struct omp_task *, void *), void *argument);
SKERRY_PRIVATE void skerry_omp_tasks_free(struct omp_team *team);

#endif
