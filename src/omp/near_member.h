// SPDX-License-Identifier: BSD-3-Clause
// Defines the words of a thread that lie in memory near the thread, on machines on which the time of an access depends on
// where the memory is (SKERRY_NEAR_MEMORY). internal.h includes this file.
#ifndef SKERRY_OMP_NEAR_MEMBER_H
#define SKERRY_OMP_NEAR_MEMBER_H

// On a machine with SKERRY_NEAR_MEMORY the time of an access depends on where the memory is. On such a machine a
// thread's struct omp_member lies in memory near the thread. It contains this struct: words of the thread, and copies
// of the team's words that the thread reads often.
#if SKERRY_NEAR_MEMORY
#if SKERRY_EVENTS
// The item of a queue in hardware: a task that the team's master has made (near_queue.h). It has SKERRY_EVENT_WORDS
// words. A thread's struct omp_item is the place at which the answer to its request arrives.
#define OMP_ITEM_DATA_WORDS 5
struct omp_item {
    uint32_t state; // enum omp_item_state; an item that arrives has OMP_ITEM_FULL
    omp_function *function;
    struct omp_taskgroup *group;
    uint32_t data[OMP_ITEM_DATA_WORDS];
};
#endif

#define OMP_NEAR_ROUNDS 6 // log2 of SKERRY_WORKERS_MAX
struct omp_near {
    // The rounds of a dissemination barrier (near_barrier.h). In round i of a barrier this thread stores to `signals`
    // of element i of its partner. It uses indexes 0 and 1 alternately. Another thread, whose partner is this thread,
    // stores to `signals` here.
    struct omp_near_round {
        struct omp_near_round *partner;
        skerry_word signals[2];
    } rounds[OMP_NEAR_ROUNDS];
    const struct omp_near_round *end; // end of the rounds that a team of this size needs
    skerry_word slow_barriers;        // number of barriers at which tasks had been made
    uint32_t threads;                 // number of threads of the team
    // 0 if no task was made in this region. If tasks were made: 2 * n + 1, modulo 2^32, where n is the number of the
    // barrier before which the first task was made. The thread that makes the first task stores this value into all
    // members of the team.
    uint32_t tasks_made;
    // 1 if a task was counted in a member's `made` in this region, otherwise 0. The thread that counts the first one stores
    // 1 into all members of the team before. Other threads search for tasks in deques only if it is 1.
    uint32_t has_counted;
    uint32_t has_prioritized;  // 1 if a task was added to the priority queue in this region
    skerry_word slow_released; // number of the last complete barrier with tasks; the master stores it
#if SKERRY_EVENTS
    // Tasks that the master makes (near_queue.h). The master stores the first three words when it makes the first such
    // task, `queue` last.
    //     queue       the team's queue in hardware; NULL: none
    //     unfinished  counter of the tasks that were put into the queue and have not ended, less the limit of their number
    //     maker       the master's implicit task, the parent of all these tasks
    //     item        the task that the thread got from the queue
    struct skerry_event_queue *queue;
    struct skerry_event_counter *unfinished;
    struct omp_task *maker;
    _Alignas(8) struct omp_item item;
    struct skerry_exchange *exchange;          // for barriers (counter_exchange.h); NULL: none, barriers use `rounds`
    struct skerry_event_counter *join_counter; // counter to which the thread adds 1 at the end of a region; NULL: none
#endif
};

// Numbers of threads to which a thread sends the descriptor of a region. The master sends it to threads 1 to
// OMP_BOXES_OF_MASTER, because a store takes it less time than the way to another thread and on from there. In a larger
// team each of these threads forwards it to OMP_BOXES others: thread 1 to the next ones, and so on. A master with at most
// OMP_BOXES others sends no further ones.
#define OMP_BOXES_OF_MASTER 15
#define OMP_BOXES 4

struct omp_box;

// Describes a thread's last region as a master. With this description the thread can begin the same region again without a
// search for a team (parallel.c).
//     task       task that executed the region's construct. It is an implicit task, so its address stands for its
//                team, and for its control variables as long as it has not changed them (omp_forget_repeatable).
//                NULL: the region cannot be repeated.
//     wanted     number of threads that the region's construct asked for, as the compiler passes it.
//     team       team of the region.
//     boxes      mailboxes of the threads to which the thread, the master, sends the descriptor.
struct omp_repeatable {
    const struct omp_task *task;
    uint32_t wanted;
    struct omp_team *team;
    struct omp_box *boxes[OMP_BOXES_OF_MASTER];
    bool has_many; // more than OMP_BOXES of them have a thread
};
#endif

#endif
