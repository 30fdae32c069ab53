// SPDX-License-Identifier: BSD-3-Clause
// The data structures of the OpenMP runtime: threads, teams and tasks. The threads of a team are numbered from 0;
// thread 0 is the master. Each thread has a member in its team. A thread's own state is its struct omp_thread: only
// that thread writes it, except for the mailbox `box` and the fields that say otherwise. The comment of a word says
// which thread writes it.
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

// Header of a block in the memory of tasks (block.h). It has the same offset in all blocks, whatever a block is used
// for.
struct omp_block {
    struct omp_block *next;  // next block in a list
    struct omp_thread *home; // thread to whose memory the block belongs
    uint32_t size;           // size class
};
#define OMP_BLOCK_PLACE (SKERRY_LINE + 32)

// A task, implicit or explicit. It runs on one thread from beginning to end. It takes three cache lines: the words that
// its maker writes, those that its runner writes, and the word that other threads count in. So a thread that steals a
// task fetches few lines.
struct omp_task {
    _Alignas(SKERRY_LINE) omp_function *function;
    void *data;
    struct omp_task *parent; // kept until the memory of all its children is freed
    struct omp_team *team;
    struct omp_taskgroup *group; // innermost task group that the task is in; its runner changes it
    const struct omp_icv *icv;   // belongs to this task if owns_icv
    uint32_t depth;              // number of explicit tasks around this one
    int32_t priority;
    uint8_t detach; // enum omp_detach; the end of the function and the event both change it (group.c)
    bool is_explicit;
    bool is_final;
    bool owns_icv;
    bool has_depends;
    bool is_constructed; // a function copied its data: the task runs even if cancelled, to destroy the copy

    _Alignas(SKERRY_LINE) uint32_t made; // children that did not run at once
    uint32_t finished_here, freed_here;
    uint32_t thread_number;
    struct omp_addresses *addresses; // table for the dependences between its children; NULL if there are none
    struct omp_dependence *depends;  // dependences with siblings; its maker sets this if has_depends
    struct omp_block block;
    bool has_ended;
    int32_t eventcount; // eventcount at which its runner sleeps inside the task

    // Low half: children that finished elsewhere; high half: children freed elsewhere (task.c). Valid from the first
    // child on.
    _Alignas(SKERRY_LINE) uint64_t elsewhere;
};

#define OMP_DEQUE_SLOTS 128
// Tasks of one thread that are ready to run. The owner adds and takes them at the bottom; other threads steal at the
// top (deque.h).
struct omp_deque {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t bottom; // written by the owner
    uint64_t seen_top;                                    // owner's copy of `top` from its last read
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t top;    // written by the thread that holds the lock
    uint32_t lock;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_task *slots[OMP_DEQUE_SLOTS];
};

// -- Threads -----------------------------------------------------------------------------------------------------------

// State of a thread in its current team. The thread saves it when it forks a region and restores it when the region
// ends.
struct omp_state {
    struct omp_team *team; // outside all regions: a team of its own at level 0
    struct omp_member *member;
    struct omp_task *task; // task that the thread runs
    uint32_t thread_number;
    uint64_t task_mark; // bottom of the deque when `task` began: the tasks above it descend from `task`
    struct omp_work_share *work_share;
    uint64_t chunk_count; // number of chunks of the loop that this thread took
    // Of an ordered loop: the thread's chunk, which is empty once its turn is passed on, and the number of ordered
    // regions still to run in it.
    uint64_t ordered_first, ordered_last, ordered_left;
    struct omp_work_share *ordered_work_share; // loop that these three belong to
    uint64_t ordered_number;                   // number of that loop among this thread's work-sharing constructs
};

// -- Teams -------------------------------------------------------------------------------------------------------------

// A thread's data in a team. Other threads poll `arrival` and `joined` while they wait. Only the thread itself writes
// the rest, and other threads read only `made` and `finished` of it, seldom. The counts include all regions that this
// team has run: all threads of the team meet the same constructs, so they agree on them.
struct omp_member {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word arrival; // barriers that the thread entered (barrier.c)
    skerry_word joined;                                       // regions that the thread ended, if joins use flags
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t made;       // tasks that it made and did not run at once
    uint64_t finished;                                        // tasks of the team that finished on this thread
    uint64_t barriers;                                        // barriers that the thread entered
    uint64_t regions;                                         // regions that the thread ended; not for the master
    uint64_t singles;                                         // single constructs that the thread met
    uint64_t singles_before;                                  // value of `singles` at the thread's last barrier
    uint64_t work_shares;                                     // work-sharing constructs that the thread met
    uint32_t spare_count;
    struct omp_work_share *work_share; // last work-sharing construct that the thread entered
    struct omp_work_share *spares;     // nodes for the thread's next constructs
    int32_t place;                     // the master writes it when it forms the team (place.c)
    uint32_t first_place, places;      // place partition of the thread
    struct omp_thread *thread;
    struct omp_task implicit;
    struct omp_deque deque;
};

// The values from which the places of a team's members were chosen.
struct omp_placing {
    uint32_t bind;         // policy + 1
    int32_t place;         // place of the master
    uint32_t first, count; // place partition of the master
};

struct omp_team {
    // The master changes these words between regions, and only if the value differs from the last region's.
    uint32_t threads;
    int32_t eventcount; // where the team's threads sleep: the master's eventcount
    uint32_t level, active_level;
    struct omp_team *outer;
    const struct omp_icv *icv;   // of the team's implicit tasks
    uint32_t team_number, teams; // number of this team in its league, and number of teams of the league
    uint32_t outer_number;       // thread number of the master in the outer team

    // Written seldom; polled by waiting threads.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word released; // last barrier that all may leave (barrier.c)
    uint32_t work;           // hint: tasks were made since waiting threads last searched for tasks
    uint32_t tasks_made;     // 1 if a task was made in this region
    uint32_t cancelled;      // 1 if this region is cancelled
    uint64_t loop_cancelled; // number of the barrier that ends a cancelled loop or sections
    int32_t prioritized;     // number of ready tasks in the priority queue

    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct skerry_counter joined; // regions ended, summed over the threads
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word arrived;          // arrivals at barriers, of all threads
    uint32_t arrival_lock;                                             // for SKERRY_OMP_BARRIER=mutex (variant.h)
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t single;              // number of the last single that a thread took
    skerry_word arrivals[2];     // arrivals of two threads at a barrier behind a single (barrier.c)
    uint64_t finished_elsewhere; // tasks that finished on a thread of another team or of none
    skerry_word copied;          // number of the last single whose data may be copied
    void *copy_data;

    // Only the master uses the words from here to `started`, with one exception for `claimed`.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word to_join;
    uint32_t pool_base;      // index in the master's pool of the team's first thread
    struct omp_state *saved; // the master's state before the region
    struct omp_icv icv_copy;
    struct omp_placing placed;
    // Threads that count towards OMP_THREAD_LIMIT. In a team at level 0: threads of all regions inside it; the masters
    // of these regions all change the word.
    uint32_t claimed;
    struct omp_team *next;
    struct omp_state saved_room; // saved state of the master, if GOMP_parallel_start began the region
    void *started;               // memory that the region's threads need in that case

    struct omp_work_share *work_shares; // first node of the list of work-sharing constructs (work_share.h)
    struct omp_work_share *spares;
    struct omp_priority_queue *urgents;
    struct omp_task_queues *task_queues; // for SKERRY_OMP_TASKS (variant.h)
    struct omp_member members[];
};

// Mailbox for the descriptor of a region. The region's master writes it.
struct omp_box {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t number;
    uint32_t thread_number;
    omp_function *function;
    void *data;
    struct omp_team *team;
};

// A thread's memory for tasks (block.h). Other threads change `returned` too.
struct omp_store {
    struct omp_block *blocks[3];
    // Blocks of another thread, the home of the first, that go back to it together.
    struct omp_block *away, *away_last;
    uint32_t away_count;
    // Own blocks that other threads returned. They add blocks in front.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_block *returned;
};

struct skerry_queue;

struct omp_thread {
    struct omp_box box;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_state state;
    int32_t number;   // number of the worker
    uint32_t regions; // number of the last region in its mailbox
    bool ends;
    // For its regions as a master.
    struct omp_thread **pool; // threads that wait for its regions
    uint32_t pool_size, pool_room, pool_used;
    uint32_t pool_left;        // pool threads that have not ended yet, when this thread ends; they count it down
    struct omp_thread *leader; // thread whose pool this thread is in
    struct omp_team *hot;      // teams of its last regions, kept for its next ones
    struct omp_team *solos;    // teams at level 0 that the thread is not in now
    uint64_t rest_until;       // time in nanoseconds before which it does not steal tasks (ready.c)
    uint64_t took_at;
    uint32_t rest, took;
    int32_t place;
    uint32_t victim;                  // member at which its next search begins
    struct skerry_queue *descriptors; // for SKERRY_OMP_PARALLEL=queue (variant.h)
    uint32_t next_reader;             // for SKERRY_OMP_TASKS=srq, locks (variant.h)
    struct omp_store store;           // must be the last field: it outlives the thread (team.c)
};

extern SKERRY_PER_THREAD struct omp_thread *skerry_omp_self;
struct omp_thread *skerry_omp_adopt(void);

// Returns the calling thread. Adopts it if it is new to the runtime.
SKERRY_ALWAYS_INLINE struct omp_thread *omp_self(void) {
    struct omp_thread *self = skerry_omp_self;
    return OMP_LIKELY(self != NULL) ? self : skerry_omp_adopt();
}

// -- Between the constructs --------------------------------------------------------------------------------------------

// parallel.c
// skerry_omp_fork makes the calling thread the master of a region whose other threads begin at once. skerry_omp_join
// waits for its end.
void skerry_omp_fork(struct omp_thread *self, struct omp_state *saved, omp_function *function, void *data,
                     uint32_t threads, uint32_t flags);
void skerry_omp_join(struct omp_thread *self);

// team.c
// Returns a team of this thread in which all threads are ready to run a region. It may have fewer threads than wanted.
struct omp_team *skerry_omp_take_team(struct omp_thread *self, uint32_t threads);
void skerry_omp_keep_team(struct omp_thread *self, struct omp_team *team);
uint32_t skerry_omp_team_size(struct omp_thread *self, uint32_t wanted);
// skerry_omp_enter_solo puts the thread into a team of one at level 0, such as every program thread has outside all
// regions. skerry_omp_leave_solo ends that. A target region runs between the two.
void skerry_omp_enter_solo(struct omp_thread *self);
void skerry_omp_leave_solo(struct omp_thread *self, const struct omp_state *saved);
void skerry_omp_end_pool(struct omp_thread *self);
void skerry_omp_work(void *thread); // parallel.c: main function of a worker
void skerry_omp_thread_free(struct omp_thread *thread);
void skerry_omp_forget_counts(struct omp_team *team);
void skerry_omp_work_shares_reset(struct omp_team *team);
void skerry_omp_work_shares_free(struct omp_team *team);

// icv.c, environment.c
void skerry_omp_begin(void); // reads the environment, once, before the first construct
const struct omp_icv *skerry_omp_level_icv(struct omp_team *team, const struct omp_icv *outer);
uint32_t skerry_omp_fewer(uint32_t threads);
uint32_t skerry_omp_claim_threads(struct omp_team *outer, uint32_t limit, uint32_t wanted);
void skerry_omp_return_threads(struct omp_team *team);
void skerry_omp_warn_of_fewer(uint32_t threads, uint32_t wanted);

void GOMP_parallel(omp_function *function, void *data, unsigned threads, unsigned flags);
void GOMP_parallel_start(omp_function *function, void *data, unsigned threads);

// barrier.c
void skerry_omp_barrier(struct omp_thread *self);
bool skerry_omp_barrier_cancel(struct omp_thread *self); // returns true if the region is cancelled

// task.c
bool skerry_omp_run_some_task(struct omp_thread *self); // runs a task of the team; false if it found none
uint64_t skerry_omp_tasks_left(const struct omp_team *team);
bool skerry_omp_is_quiet(const struct omp_team *team); // true if no task is left; valid while all its threads wait
void skerry_omp_finish_tasks(struct omp_thread *self);
void skerry_omp_end_implicit(struct omp_thread *self, struct omp_task *task);
void skerry_omp_finish(struct omp_thread *self, struct omp_task *task);
bool skerry_omp_run_descendant(struct omp_thread *self, uint32_t looks); // runs a descendant of the current task

// ready.c
// skerry_omp_make_ready puts a task where other threads find it. skerry_omp_find_task returns a task that the calling
// thread may run while it waits, or NULL: any task of the region if `ancestor` is NULL, else a descendant of
// `ancestor`.
void skerry_omp_make_ready(struct omp_thread *self, struct omp_task *task);
struct omp_task *skerry_omp_find_task(struct omp_thread *self, const struct omp_task *ancestor);

// depend.c
bool skerry_omp_depend(struct omp_thread *self, struct omp_task *task, void **list); // true if it waits for none
void skerry_omp_release_dependents(struct omp_thread *self, struct omp_task *task);
void skerry_omp_forget_addresses(struct omp_thread *self, struct omp_task *task);
void skerry_omp_await(struct omp_thread *self, void **list);

#endif
