// SPDX-License-Identifier: BSD-3-Clause
// Declares the variants (implementations) of constructs that Tendulkar et al. 2011 compare. The files of src/omp are
// compiled twice. The library of variants (SKERRY_OMP_VARIANTS is defined) has all variants, and environment variables
// choose one of them for each construct. The default library has only the default variant of each construct.
//
// The environment variables and their values; the first value of each variable is the default:
//     SKERRY_OMP_PARALLEL  mailbox  the master (the thread that begins a region) stores the region's function and data
//                                   into each thread's mailbox.
//                          queue    the master sends both through a queue to each thread; the thread copies them into
//                                   its own mailbox.
//     SKERRY_OMP_JOIN      counter  threads that end a region add to one word of the team (parallel.c).
//                          flags    each of these threads stores into a word of its own.
//     SKERRY_OMP_BARRIER   pair     two threads exchange flags; in larger teams threads add to a counter (barrier.c).
//                          counter  the threads of every team add to a counter; the last thread releases the others.
//                          mutex    like counter, but a lock protects the counter.
//     SKERRY_OMP_LOCK      mutex    a thread that finds the lock free takes it (mutex.h).
//                          queue    threads get the lock in the order of their requests (token_lock.h).
//     SKERRY_OMP_TASKS     deque    each thread has a deque, from which other threads steal (deque.h).
//                          srq      (single-reader queues) each thread has a queue that only it reads; a thread adds
//                                   its tasks to all queues in turn.
//                          mrq      (many-reader queue) the team has one queue that all its threads read.
//                          locks    like srq, but each queue is a stack under a lock.
// With srq and locks only the owner of a queue takes tasks from it, even if other threads are idle.
#ifndef SKERRY_OMP_VARIANT_H
#define SKERRY_OMP_VARIANT_H

#include "../internal.h"

enum omp_construct { OMP_PARALLEL, OMP_JOIN, OMP_BARRIER, OMP_LOCK, OMP_TASKS, OMP_CONSTRUCTS };

// The variants of each construct. The default has the value 0.
enum omp_parallel_variant { OMP_PARALLEL_MAILBOX, OMP_PARALLEL_QUEUE };
enum omp_join_variant { OMP_JOIN_COUNTER, OMP_JOIN_FLAGS };
enum omp_barrier_variant { OMP_BARRIER_PAIR, OMP_BARRIER_COUNTER, OMP_BARRIER_MUTEX };
enum omp_lock_variant { OMP_LOCK_MUTEX, OMP_LOCK_QUEUE };
enum omp_tasks_variant { OMP_TASKS_DEQUE, OMP_TASKS_SRQ, OMP_TASKS_MRQ, OMP_TASKS_LOCKS };

// OMP_VARIANT expands to the variant of a construct. In the default library it is a constant, so the compiler removes
// the code of the other variants. OMP_VARIANT is a macro because the result of an inline function is a constant only if
// the compiler optimises. Without a constant the default library would refer to functions of variants that it does not
// contain.
#ifdef SKERRY_OMP_VARIANTS
extern SKERRY_PRIVATE uint32_t skerry_omp_variants[OMP_CONSTRUCTS];
#define OMP_HAS_VARIANTS true
#define OMP_VARIANT(construct) skerry_omp_variants[construct]
#else
#define OMP_HAS_VARIANTS false
#define OMP_VARIANT(construct) 0u
#endif

// Defined in variant_variables.c:
// skerry_omp_read_variants reads the environment variables. skerry_omp_show_variants shows them for OMP_DISPLAY_ENV.
SKERRY_PRIVATE void skerry_omp_read_variants(void);
SKERRY_PRIVATE void skerry_omp_show_variants(void);

// The functions below implement the variants that are not the default. Only the library of variants has them.

// Defined in region.c:
// skerry_omp_descriptor_send puts the descriptor of a region (its function and data) into the queue of thread `to`.
// skerry_omp_descriptor_receive copies a descriptor that has arrived into the mailbox of `self`. It returns false if no
// descriptor has arrived.
SKERRY_PRIVATE void skerry_omp_descriptor_send(struct omp_thread *to, omp_function *function, void *data,
                                               struct omp_team *team, uint32_t thread_number);
SKERRY_PRIVATE bool skerry_omp_descriptor_receive(struct omp_thread *self);
// skerry_omp_flag_set reports to the master that the thread of `member` has ended its part of the region.
// skerry_omp_flags_await waits until all other threads of the team have called skerry_omp_flag_set for this region.
SKERRY_PRIVATE void skerry_omp_flag_set(struct omp_team *team, struct omp_member *member);
SKERRY_PRIVATE void skerry_omp_flags_await(struct omp_thread *self, struct omp_team *team);
// skerry_omp_arrive_locked adds 1 to `arrived` of a team, under a lock, and returns the new value.
SKERRY_PRIVATE skerry_word skerry_omp_arrive_locked(struct omp_team *team);

// Defined in task_queues.c:
// skerry_omp_tasks_add adds a ready task to a queue or stack. It returns false if that queue or stack is full.
// skerry_omp_tasks_take returns a task for which may_take(task, argument) is true, or NULL if it found none.
// skerry_omp_tasks_free frees the queues of a team.
SKERRY_PRIVATE bool skerry_omp_tasks_add(struct omp_thread *self, struct omp_task *task);
SKERRY_PRIVATE struct omp_task *
skerry_omp_tasks_take(struct omp_thread *self, bool (*may_take)(const struct omp_task *, void *), void *argument);
SKERRY_PRIVATE void skerry_omp_tasks_free(struct omp_team *team);

// Defined in queue_memory.c:
// Returns a new queue for messages of message_bytes bytes. Ends the program if there is no memory.
SKERRY_PRIVATE struct skerry_queue *skerry_omp_queue_new(uint32_t capacity, size_t message_bytes, bool many_readers);

#endif
