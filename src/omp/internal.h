// SPDX-License-Identifier: BSD-3-Clause
// What the files of the OpenMP runtime share: threads, teams, tasks. A team's threads are numbered from 0, its master; each has a
// member in the team, and while it is in the team a struct omp_thread that nobody else writes, but for its box. Who may write what
// stands beside each word.
#ifndef SKERRY_OMP_INTERNAL_H
#define SKERRY_OMP_INTERNAL_H

#include "../machine/machine.h"
#include "../primitive/counter.h"
#include "icv.h"

#define OMP_EXPORT __attribute__((visibility("default")))
#define OMP_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define OMP_LIKELY(condition) __builtin_expect(!!(condition), 1)

struct omp_thread;
struct omp_team;
struct omp_task;
struct omp_taskgroup;
struct omp_work_share;

typedef void omp_function(void *data);

// -- Tasks -------------------------------------------------------------------------------------------------------------

// What the memory of tasks keeps of a block, at the same place in whatever the block is used for (block.h).
struct omp_block {
    struct omp_block *next;  // in a list
    struct omp_thread *home; // whose memory this is
    uint32_t size;           // class
};
#define OMP_BLOCK_PLACE (SKERRY_LINE + 32)

// A task, implicit or explicit. It runs on one thread from beginning to end. Three lines: what its maker writes, what its runner
// writes, what others count; a thread that takes the task of another fetches as few as can be.
struct omp_task {
    _Alignas(SKERRY_LINE) omp_function *function;
    void *data;
    struct omp_task *parent; // which is kept until all its children are given back
    struct omp_team *team;
    struct omp_taskgroup *group; // the innermost it is in: changed by its runner
    const struct omp_icv *icv;   // its own if owns_icv
    uint32_t depth;              // of explicit tasks in each other
    int32_t priority;
    uint8_t detach; // enum omp_detach, changed by whoever is second
    bool is_explicit;
    bool is_final;
    bool owns_icv;
    bool has_depends;
    bool is_constructed; // its data were copied by a function: its own ends them, even when it is cancelled

    _Alignas(SKERRY_LINE) uint32_t made; // children that were not run at once
    uint32_t finished_here, freed_here;
    uint32_t thread_number;
    struct omp_addresses *addresses; // by which its children depend on each other; NULL: none do
    struct omp_dependence *depends;  // on siblings, and theirs on it; its maker's, if has_depends
    struct omp_block block;
    bool has_ended;
    int32_t eventcount; // at which its runner sleeps when it waits inside of the task

    _Alignas(SKERRY_LINE) uint64_t
        elsewhere; // low half children finished, high half children given back (task.c); valid from the first on
};

#define OMP_DEQUE_SLOTS 128
// Tasks of one thread that are ready to run: the owner adds and takes at the bottom, others take at the top (deque.h).
struct omp_deque {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t bottom; // owner
    uint64_t seen_top;                                    // owner: top, the last time it looked
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t top;    // who holds the lock
    uint32_t lock;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_task *slots[OMP_DEQUE_SLOTS];
};

// -- Threads -----------------------------------------------------------------------------------------------------------

// What a thread is in its current team: saved when it forks a region, restored when the region ends.
struct omp_state {
    struct omp_team *team; // outside of every region one of its own, at level 0
    struct omp_member *member;
    struct omp_task *task; // the one it runs
    uint32_t thread_number;
    uint64_t task_mark; // bottom of the deque when that began: what is above descends from it
    struct omp_work_share *work_share;
    uint64_t chunk_count; // chunks of the loop that this thread has had
    // Of an ordered loop: the chunk it has, empty when its turn has been handed on, and how many ordered regions are to come in it.
    uint64_t ordered_first, ordered_last, ordered_left;
    struct omp_work_share *ordered_work_share; // which loop that is
    uint64_t ordered_number;                   // and which work-sharing construct of this thread
};

// -- Teams -------------------------------------------------------------------------------------------------------------

// A thread's place in a team. `arrival` is polled by others while they wait; the rest is the thread's own, and of that others read
// made and finished only, seldom. Counts are of all regions that this team has run: all its threads meet the same constructs.
struct omp_member {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word arrival; // barriers entered (barrier.c)
    skerry_word joined;                                       // regions ended, where joins are by flags
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t made;       // tasks that it made and did not run at once
    uint64_t finished;                                        // of all those, ones that ended on it
    uint64_t barriers;                                        // entered
    uint64_t regions;                                         // ended by this thread, which is not the master
    uint64_t singles;                                         // constructs met
    uint64_t singles_before;                                  // those of them that lie before the last barrier
    uint64_t work_shares;                                     // work-sharing constructs met
    uint32_t spare_count;
    struct omp_work_share *work_share; // the last one
    struct omp_work_share *spares;     // for the next
    int32_t place;                     // written by the master when it forms the team (place.c)
    uint32_t first_place, places;      // its partition
    struct omp_thread *thread;
    struct omp_task implicit;
    struct omp_deque deque;
};

// By what the places of a team's members were chosen.
struct omp_placing {
    uint32_t bind;         // the policy + 1
    int32_t place;         // the master's
    uint32_t first, count; // its partition
};

struct omp_team {
    // Changed by the master between regions, and only where it differs from the last one's.
    uint32_t threads;
    int32_t eventcount; // at which its threads sleep: the master's
    uint32_t level, active_level;
    struct omp_team *outer;
    const struct omp_icv *icv;   // of its implicit tasks
    uint32_t team_number, teams; // of a league
    uint32_t outer_number;       // the master's number in the outer team

    // Written seldom, read by whoever waits.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word released; // barrier that all may leave (barrier.c)
    uint32_t work;           // tasks were made since those who wait have last looked for some
    uint32_t tasks_made;     // in this region
    uint32_t cancelled;      // this region
    uint64_t loop_cancelled; // number of the barrier that ends a cancelled loop or sections
    int32_t prioritized;     // tasks with a priority that are ready

    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct skerry_counter joined; // threads that have ended regions
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word arrived;          // at barriers
    uint32_t arrival_lock;                                             // variant.h
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t single;              // constructs that some thread has taken
    skerry_word arrivals[2];     // of two threads, at barriers behind singles (barrier.c)
    uint64_t finished_elsewhere; // tasks that a thread of no team, or another one, has finished
    skerry_word copied;          // of a single whose data may be copied: its number
    void *copy_data;

    // The master's own.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word to_join;
    uint32_t pool_base;      // of the master's crew, the first that is in this team
    struct omp_state *saved; // what the master was before
    struct omp_icv icv_copy;
    struct omp_placing placed;
    uint32_t claimed; // threads that OMP_THREAD_LIMIT counts for this region; at level 0 in all regions, counted by all
    struct omp_team *next;
    struct omp_state saved_room; // of a region that was started without being run
    void *started;               // and what that needs

    struct omp_work_share *work_shares; // work-sharing constructs: where the list began (work_share.h)
    struct omp_work_share *spares;
    struct omp_priority_queue *urgents;
    struct omp_task_queues *task_queues; // variant.h
    struct omp_member members[];
};

// A region's descriptor, written by its master: a mailbox.
struct omp_box {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t number;
    uint32_t thread_number;
    omp_function *function;
    void *data;
    struct omp_team *team;
};

// A thread's memory for tasks (block.h). `returned` is changed by others too.
struct omp_store {
    struct omp_block *blocks[3];
    struct omp_block *away, *away_last; // blocks of another thread's, the first one's home, to go back there together
    uint32_t away_count;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_block
        *returned; // own blocks that others have given back: who returns some puts them in front
};

struct skerry_queue;

struct omp_thread {
    struct omp_box box;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_state state;
    int32_t number;   // of the worker
    uint32_t regions; // numbers of boxes that it has seen
    bool ends;
    // As the master of regions.
    struct omp_thread **pool; // threads that wait for its regions
    uint32_t pool_size, pool_room, pool_used;
    uint32_t pool_left;        // who have not ended yet, when this thread ends: counted by them
    struct omp_thread *leader; // in whose crew this is
    struct omp_team *hot;      // teams of its last regions, kept for the next
    struct omp_team *solos;    // teams at level 0 that it is not in now
    uint64_t rest_until;       // nanoseconds: it does not look for others' tasks before (task.c)
    uint64_t took_at;
    uint32_t rest, took;
    int32_t place;
    uint32_t victim;                  // where it last found tasks
    struct skerry_queue *descriptors; // variant.h
    uint32_t next_reader;             // variant.h
    struct omp_store store;           // the last
};

extern SKERRY_PER_THREAD struct omp_thread *skerry_omp_self;
struct omp_thread *skerry_omp_adopt(void);

// The calling thread.
SKERRY_ALWAYS_INLINE struct omp_thread *omp_self(void) {
    struct omp_thread *self = skerry_omp_self;
    return OMP_LIKELY(self != NULL) ? self : skerry_omp_adopt();
}

// -- Between the constructs --------------------------------------------------------------------------------------------

// parallel.c
// Makes the calling thread the master of a region whose other threads begin at once; and waits for its end.
void skerry_omp_fork(struct omp_thread *self, struct omp_state *saved, omp_function *function, void *data,
                     uint32_t threads, uint32_t flags);
void skerry_omp_join(struct omp_thread *self);

// team.c
// A team of this thread's, with a thread for each place that is ready to run regions; perhaps of fewer threads than wanted.
struct omp_team *skerry_omp_take_team(struct omp_thread *self, uint32_t threads);
void skerry_omp_keep_team(struct omp_thread *self, struct omp_team *team);
uint32_t skerry_omp_team_size(struct omp_thread *self, uint32_t wanted);
// A team of one at level 0, as every program thread has outside of regions: a target region's, between these two.
void skerry_omp_enter_solo(struct omp_thread *self);
void skerry_omp_leave_solo(struct omp_thread *self, const struct omp_state *saved);
void skerry_omp_end_pool(struct omp_thread *self);
void skerry_omp_work(void *thread); // parallel.c: what a worker does
void skerry_omp_thread_free(struct omp_thread *thread);
void skerry_omp_forget_counts(struct omp_team *team);
void skerry_omp_work_shares_reset(struct omp_team *team);
void skerry_omp_work_shares_free(struct omp_team *team);

// icv.c, environment.c
void skerry_omp_begin(void); // reads the environment; once, before everything
const struct omp_icv *skerry_omp_level_icv(struct omp_team *team, const struct omp_icv *outer);
uint32_t skerry_omp_fewer(uint32_t threads);
uint32_t skerry_omp_claim_threads(struct omp_team *outer, uint32_t limit, uint32_t wanted);
void skerry_omp_return_threads(struct omp_team *team);
void skerry_omp_warn_of_fewer(uint32_t threads, uint32_t wanted);

void GOMP_parallel(omp_function *function, void *data, unsigned threads, unsigned flags);
void GOMP_parallel_start(omp_function *function, void *data, unsigned threads);

// barrier.c
void skerry_omp_barrier(struct omp_thread *self);
bool skerry_omp_barrier_cancel(struct omp_thread *self); // true: the region is cancelled

// task.c
bool skerry_omp_run_some_task(struct omp_thread *self); // of the team; false: found none
uint64_t skerry_omp_tasks_left(const struct omp_team *team);
bool skerry_omp_is_quiet(const struct omp_team *team); // no task is left, when all its threads wait
void skerry_omp_finish_tasks(struct omp_thread *self);
void skerry_omp_end_implicit(struct omp_thread *self, struct omp_task *task);
void skerry_omp_finish(struct omp_thread *self, struct omp_task *task);
bool skerry_omp_run_descendant(struct omp_thread *self, uint32_t looks); // of the task that it runs

// ready.c
// Puts a task where others find it; or one that this thread may run now, where it waits: any, or only what descends from `ancestor`.
void skerry_omp_make_ready(struct omp_thread *self, struct omp_task *task);
struct omp_task *skerry_omp_find_task(struct omp_thread *self, const struct omp_task *ancestor);

// depend.c
bool skerry_omp_depend(struct omp_thread *self, struct omp_task *task, void **list); // whether it need wait for nobody
void skerry_omp_release_dependents(struct omp_thread *self, struct omp_task *task);
void skerry_omp_forget_addresses(struct omp_thread *self, struct omp_task *task);
void skerry_omp_await(struct omp_thread *self, void **list);

#endif
