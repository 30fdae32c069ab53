// SPDX-License-Identifier: BSD-3-Clause
// Defines the words of a thread that lie in memory near the thread, on machines on which the time of an access depends on
// where the memory is (SKERRY_NEAR_MEMORY). internal.h includes this file.
#ifndef SKERRY_OMP_NEAR_MEMBER_H
#define SKERRY_OMP_NEAR_MEMBER_H

// 1 if the threads of a region combine the additions with which they end (near_sum.c).
#define OMP_HAS_SUMS (SKERRY_EVENTS && SKERRY_EVENT_TARGETS)

// On a machine with SKERRY_NEAR_MEMORY the time of an access depends on where the memory is. On such a machine a
// thread's struct omp_member lies in memory near the thread. It contains this struct: words of the thread, and copies
// of the team's words that the thread reads often.
#if SKERRY_NEAR_MEMORY
#if SKERRY_EVENTS
// The item of a queue in hardware: a task that the team's master has made (near_queue.h). It has SKERRY_EVENT_WORDS
// words. A thread's struct omp_item is the place at which the answer to its request arrives.
#define OMP_ITEM_DATA_WORDS 5
struct omp_item_data {
    uint32_t words[OMP_ITEM_DATA_WORDS];
};
struct omp_item {
    uint32_t state; // enum omp_item_state; an item that arrives has OMP_ITEM_FULL
    omp_function *function;
    struct omp_taskgroup *group;
    struct omp_item_data data;
};
#endif

#if OMP_HAS_SUMS
// An addition that a thread sends to the thread above it in a tree (near_sum.c), or other operations on several variables
// (near_reduction.c). Of these the word has the bit OMP_ADDITION_IS_PARTIAL, and the value is the kinds of the operations.
struct omp_addition {
    _Alignas(8) uint32_t *word; // the variable; NULL: the place is empty
    uint32_t value;
};
#define OMP_ADDITION_IS_PARTIAL 1u

#define OMP_PARTIAL_WORDS 3 // at most so many variables

union omp_partial_value {
    double d;
    float f;
    uint32_t u;
};

// The values for the variables of a reduction. The first variable is the word of struct omp_addition.
struct omp_partial {
    _Alignas(8) union omp_partial_value values[OMP_PARTIAL_WORDS];
    uint32_t *words[OMP_PARTIAL_WORDS - 1];
};

// A thread releases at most so many others after a reduction before a barrier (near_reduce_barrier.c): the master threads 1 to
// OMP_RELEASES_OF_MASTER, and each of these OMP_RELEASES others. Those are the numbers of a region's descriptors.
#define OMP_RELEASES_OF_MASTER 15
#define OMP_RELEASES 4

// Tells a thread that waits at such a barrier how it leaves it.
enum omp_release {
    OMP_RELEASE_NONE = 0,    // not yet
    OMP_RELEASE_LEAVE = 1,   // the barrier is complete
    OMP_RELEASE_BARRIER = 2, // by the usual barrier
};

// What a thread needs for reductions besides struct omp_sum.
struct omp_reductions {
    struct omp_partial own;
    struct omp_partial *to; // in the memory of the thread above
    uint32_t release;       // enum omp_release
    uint32_t unused;
    // The words `release` of the threads that this thread releases, behind `below`; then `unused`, so that their number is a multiple
    // of OMP_RELEASES.
    uint32_t **releases, **releases_end;
    struct omp_partial below[]; // of the threads below
};

// A thread waits for the additions of the threads below during at most OMP_SUM_POLLS polls, some 250 cycles, and one more for
// each thread of the team: if all threads load a shared variable, they get it one after the other. Reductions that are slow without
// the tree wait longer (near_reduction.c). A thread that has sent its addition polls its mailbox eight times that often,
// and then looks whether the thread above has taken it: after four times that long.
// If additions fail, the threads make the additions of the next regions themselves: after the first failure of one region, and
// after each further one without a success in between of 2 n + 1 regions, at most OMP_SUM_SKIPS.
#define OMP_SUM_POLLS 30
#define OMP_SUM_SKIPS 31

// In teams of at most so many threads single additions of an integer do not go up a tree. With 16 threads a tree takes 319 cycles
// with the region, and additions of the threads 296: they arrive every 7 cycles, and the way through a level of the tree takes some 90.
#define OMP_SUM_FEW 16  // src/machine/sarc/oshcc.sh has this number too
#define OMP_SWAP_FEW 2  // the same for reductions by compare-swap: with two threads 336 cycles, and by the tree 429
#define OMP_SUM_BELOW 9 // at most so many threads are below a thread in the tree

// What a thread needs for the additions at the end of a region.
struct omp_sum {
    struct omp_addition places[OMP_SUM_BELOW]; // of the threads below
    struct omp_addition *to;                   // in the memory of the thread above; NULL: the thread is the master
    uint32_t *word;                            // what the thread has sent, or, in the master, its own addition
    uint32_t value;
    // Regions are numbered by the calls for an addition at their end, which are as many in all threads.
    uint32_t region;             // number of the last region with an addition
    uint32_t skipped;            // the thread makes the additions up to this region itself; other threads set it too
    uint32_t skips;              // for how many regions the last failure was; 0: the last addition was made by the tree
    const struct omp_task *task; // the thread's implicit task; NULL: the thread always makes its additions itself
    uint8_t first[OMP_SUM_BELOW];      // number of each thread below,
    uint8_t count[OMP_SUM_BELOW];      // and number of threads in the tree from there on: these are the next ones
    uint8_t own_count;                 // the same of the thread itself
    uint8_t below;                     // number of threads below
    bool is_at_barrier;                // the thread takes values before a barrier, and not at the end of a region
    uint32_t polls;                    // OMP_SUM_POLLS and the number of threads
    struct omp_reductions *reductions; // near the thread; NULL: the program has no reductions for near_reduction.c
};
#endif

#if OMP_HAS_SUMS
// In teams of at most so many threads no values are posted (near_post.c): there the master is not ready earlier. In cycles, with
// the region, by additions of the threads and by posts: 10 threads 254 and 253, 12 threads 267 and 257, 16 threads 296 and 283.
#define OMP_POST_FEW 10 // src/machine/sarc/oshcc.sh has this number too

// What a thread needs for the additions by a counter at the end of a region (near_post.c).
struct omp_posts {
    struct skerry_event_counter *counter; // the master's, to which the threads post; NULL: none
    const struct omp_task *task;          // the thread's implicit task; NULL: the thread is the master,
    const struct omp_task *master_task;   // whose implicit task is here
    uint32_t *word;                       // the variable for which the thread posts values; NULL: none
    uint32_t regions;                     // number of regions in which the thread has posted, times OMP_REGION
    uint32_t *sent; // the variable and the value that the thread has posted; the master's own value
    uint32_t value;
    // Of the master only:
    bool is_noted;      // the withdrawal in `collected` is counted in `wanted`
    uint32_t collected; // number of regions in which the master has taken the values, times OMP_REGION, and two bits
    uint32_t *last;     // variable of the last addition that was not posted, and how often in a row it was the same one
    uint32_t repeats;
    uint32_t wanted; // values are posted if `repeats` is as large
};
#endif

#define OMP_NEAR_ROUNDS 6 // log2 of SKERRY_WORKERS_MAX

#if SKERRY_EVENTS
#define OMP_TRANSFERS 8 // number of unfinished tasks that a thread has transferred to other threads

// The task that a thread keeps for other threads (near_kept.h). It is one task, because to keep a task and to run it
// later takes some 60 cycles more than to run it at once. With 2, 4 and 8 tasks the tree of bench/chip/tasks.c takes up to
// 10 % longer.
struct omp_kept {
    uint32_t state; // enum omp_kept_state
    omp_function *function;
    struct omp_task *parent;
    struct omp_taskgroup *group;
    struct omp_item_data data;
    // For near_steal.h:
    struct omp_report *report; // of this task; NULL while only the thread itself can run it
    struct omp_report
        *base;          // of the task of another thread in which the task was made; NULL: it was made in no such task
    uint32_t ancestors; // number of tasks around this one
    const struct omp_task *root; // the implicit task from which the task descends
    uint32_t bit;                // bit of this thread in the word `published`
    bool is_counted;             // the thread that keeps it has counted it as transferred
};
enum omp_kept_state {
    OMP_KEPT_NONE = 0,
    OMP_KEPT_GIVEN = 2,   // the same, and the thread has handed over the last task that it has made (near_steal.h)
    OMP_KEPT_PRIVATE = 4, // the thread has a kept task, which no other thread can take
    OMP_KEPT_TAKEN = 6,   // another thread has taken the task, and reads it
    OMP_KEPT_FULL = 7,    // other threads can take the task
    OMP_KEPT_NEVER = 8    // the team has one thread, so the thread keeps no tasks
};
#define OMP_KEPT_FREE 1u // a bit of a state: other threads can take the task
// 1 if threads without tasks take kept tasks (near_steal.h), 0 if threads transfer them (near_transfer.h).
#define OMP_TAKES_KEPT (!SKERRY_EVENT_TARGETS)

// A task that another thread has transferred to this one.
struct omp_received {
    omp_function *function;
    struct omp_report *report;
    struct omp_taskgroup *group;
    struct omp_item_data data;
#if OMP_TAKES_KEPT
    const struct omp_task *root; // these two as in struct omp_kept
    uint32_t ancestors;
#endif
    uint32_t is_full; // 1 if a task has arrived
};

// The place in a thread's memory at which another thread reports the end of a transferred task.
struct omp_report {
    struct omp_task *parent;   // of the transferred task; NULL: no task
    uint32_t is_open;          // 1: this thread takes a descendant of the transferred task
    struct omp_near *receiver; // the thread that runs the transferred task
    struct omp_near *owner;    // the thread in whose memory this report is; constant
};
#endif

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
    // Tasks of the thread that makes them in its implicit task (near_queue.h). The first thread of the team that makes such
    // tasks stores `queue` and `unfinished`. In each region the first thread that makes such tasks stores `maker`.
    //     queue       the team's queue in hardware; NULL: none
    //     unfinished  counter of the tasks that were put into the queue and have not ended, less the limit of their number
    //     maker       the implicit task that is the parent of all these tasks; NULL: no thread has made such a task in
    //                 this region
    //     item        the task that the thread got from the queue
    struct skerry_event_queue *queue;
    struct skerry_event_counter *unfinished;
    struct omp_task *maker;
    _Alignas(8) struct omp_item item;
    struct skerry_exchange *exchange;          // for barriers (counter_exchange.h); NULL: none, barriers use `rounds`
    struct skerry_event_counter *join_counter; // counter to which the thread adds 1 at the end of a region; NULL: none
    // Tasks that are kept for other threads or transferred (near_transfer.h describes these words). can_transfer is true if
    // the team can transfer tasks. `asked` is the number of searches since the thread has asked others.
    // open_word is the word is_open that is possibly 1.
    struct skerry_event_counter *transferred;
    uint32_t wanted;
    struct omp_near *askers[OMP_NEAR_ROUNDS];
    uint32_t base_wanted;
    bool can_transfer;
#if OMP_TAKES_KEPT
    struct skerry_event_counter
        *idle; // of the team: bits of the threads to which others can hand a task (near_steal.h)
#endif
    uint32_t *published;  // word of the team: bits of the threads whose kept tasks others can take (near_steal.h)
    uint32_t reports_end; // only reports with smaller numbers are possibly in use
    uint32_t victim;      // number of the thread whose kept task this thread has tried to take last
    uint16_t asked;
    struct omp_report *base;
    const struct omp_task *root; // as in struct omp_kept, for the tasks that the thread makes now
    uint32_t
        ancestors; // number of tasks around the task of another thread that this thread runs, without implicit ones
    uint32_t is_open;
    uint32_t *open_word;
    struct omp_kept kept;
    struct omp_received received;
    struct omp_report reports[OMP_TRANSFERS + 1];
#if OMP_HAS_SUMS
    struct omp_sum sum;
    struct omp_posts *posts; // near the thread; NULL: none
#endif
#endif
};

// Numbers of threads to which a thread sends the descriptor of a region. The master sends it to threads 1 to
// OMP_BOXES_OF_MASTER, because a store takes it less time than the way to another thread and on from there. In a larger
// team each of these threads forwards it to OMP_BOXES others: thread 1 to the next ones, and so on. A master with at most
// OMP_BOXES others sends no further ones.
#if SKERRY_EVENT_TARGETS
#define OMP_BOXES_OF_MASTER 15
#else // all memory is as near as a thread's own, so forwarding is faster
#define OMP_BOXES_OF_MASTER 4
#endif
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
    uint32_t has_many; // 1 if more than OMP_BOXES of them have a thread, otherwise 0
};
#endif

#endif
