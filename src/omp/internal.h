// SPDX-License-Identifier: BSD-3-Clause
// Defines the data structures of the OpenMP runtime: threads, teams and tasks. The threads of a team are numbered from
// 0. Thread 0 is the master: it forked the region.
// * struct omp_member contains a thread's data in one team. struct omp_thread contains the state of a thread that does
//   not depend on a team.
// * Only the thread itself writes its struct omp_thread. The exceptions are the mailbox `box` and fields whose comments
//   name another writer.
// * The fields under SKERRY_OMP_VARIANTS exist only in the library of variants (variant/variant.h).
#ifndef SKERRY_OMP_INTERNAL_H
#define SKERRY_OMP_INTERNAL_H

#include "../machine/machine.h"
#include "../primitive/counter.h"
#include "../primitive/counter_exchange.h"
#include "../primitive/counter_tree.h"
#include "environment/icv.h"

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

// Describes a block of the memory for tasks (block.h), and lies inside the block. A block contains a task or a record
// of dependences. The description has the same offset, OMP_BLOCK_PLACE, in both cases. It can therefore be found
// without knowing what the block contains.
struct omp_block {
    struct omp_block *next;  // next block in a list
    struct omp_thread *home; // thread to which the block belongs; NULL: a large block, which is returned to the machine
    uint32_t size;           // size class, from 0; class 0 has OMP_BLOCK_BYTES bytes
};
// Number of bytes of the fields of struct omp_task before `made`, rounded up to whole cache lines (of SKERRY_LINE
// bytes).
#define OMP_TASK_HEAD ((6 * sizeof(void *) + 14 + 2 * SKERRY_EVENTS + SKERRY_LINE - 1) / SKERRY_LINE * SKERRY_LINE)
#define OMP_BLOCK_PLACE (OMP_TASK_HEAD + 16 + 2 * sizeof(void *))

// A task, implicit or explicit. A task runs on one thread from beginning to end. Its words are in three groups of cache
// lines, so a thread that steals a task fetches few lines. The thread that makes the task writes the first group. The
// thread that runs the task writes the second group. Other threads add to the word in the third group.
struct omp_task {
    _Alignas(SKERRY_LINE) omp_function *function;
    void *data;
    struct omp_task *parent; // its memory is kept until the memory of all its children is freed
    struct omp_team *team;
    struct omp_taskgroup *group; // innermost task group around the task; the thread that runs the task changes it
    const struct omp_icv *icv;   // control variables; they belong to this task alone if owns_icv is true
    uint32_t depth;              // 0 for an implicit task, else the depth of its parent + 1
    int32_t priority;
    uint8_t detach; // enum omp_detach; changed when the function ends and when the event is fulfilled (group.c)
    bool is_explicit;
    bool is_final;
    bool owns_icv;
    bool has_depends;
    bool is_constructed; // the program's copy function made its data; the task runs even if cancelled, to destroy them
#if SKERRY_EVENTS
    bool is_from_queue; // it came from the team's queue in hardware, so its parent does not count it (near_queue.h)
    // True if the task has possibly counted or transferred children, a table of dependences or control variables of its
    // own, or has kept a child. If false, nothing is to do when it ends, and a taskwait has nothing to wait for
    // (near_frame.h). Always true in an implicit task.
    bool has_extras;
#endif

    _Alignas(SKERRY_LINE) uint32_t made; // number of children, except those that ran at once (children.h)
    uint32_t finished_here, freed_here;
    uint32_t thread_number;
    struct omp_addresses *addresses; // addresses in the depend clauses of its children; NULL: no such clause
    struct omp_dependence *depends;  // record of its own depend clauses (depend.c); valid if has_depends is true
    struct omp_block block;
    bool has_ended;
    int32_t eventcount; // eventcount at which the thread that runs the task sleeps if it must wait during the task
#if SKERRY_EVENTS
    struct omp_task *child; // frame that is ready for the next child that runs as a call; NULL: none (near_frame.h)
    struct omp_task *spare; // frame that this task owns for its children; NULL: none
#endif

    // Low half: number of children that finished on a thread other than the one that runs this task. High half: number
    // of children whose memory was freed on such a thread (children.h). The task initialises the word when it makes its
    // first child.
    _Alignas(SKERRY_LINE) uint64_t elsewhere;
};

// Number of slots of a deque, a power of two. The slots are enough for the tasks that a thread keeps (SHALLOW_TASKS in
// task.c) and for the tasks of one steal. The owner leaves the other slots free (deque.h). The number is smaller on
// machines with SKERRY_NEAR_MEMORY (simulated cores with their own memories), because each core has little memory.
#define OMP_DEQUE_SLOTS (SKERRY_NEAR_MEMORY ? 32 : 128)
// A thread's tasks that are ready to run. The owner adds and takes tasks at the bottom. Other threads steal tasks at
// the top (deque.h).
struct omp_deque {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word bottom; // written by the owner
    skerry_word seen_top;                                    // value of `top` when the owner last read it
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word top;    // written by the thread that holds the lock
    uint32_t lock;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_task *slots[OMP_DEQUE_SLOTS];
};

// -- Threads -----------------------------------------------------------------------------------------------------------

// State of a thread in its current team. A thread that forks a region saves this struct, and restores it when the
// region ends.
struct omp_state {
    struct omp_team *team; // outside all regions: a team at level 0 that consists of this thread
    struct omp_member *member;
    struct omp_task *task; // task that the thread runs
    uint32_t thread_number;
    skerry_word task_mark; // bottom of the deque when `task` began: tasks from this slot on descend from `task`
    struct omp_work_share *work_share;
    // Number of chunks that this thread took. In a loop with ranges (schedule.c), where a thread takes a batch of
    // several chunks together: number of the first chunk after its last batch.
    uint64_t chunk_count;
    // For an ordered loop: the thread's current chunk is iterations ordered_first to ordered_last - 1. The thread makes
    // this interval empty when it has allowed the next chunk to run its ordered regions. ordered_left is the number of
    // ordered regions of this chunk that have not run yet.
    uint64_t ordered_first, ordered_last, ordered_left;
    struct omp_work_share *ordered_work_share; // loop to which the three words above belong
    uint64_t ordered_number;                   // number of this loop among the thread's work-sharing constructs
};

// -- Teams -------------------------------------------------------------------------------------------------------------

#include "near_member.h"

// A thread's data in a team. Only this thread writes the counts. All threads of a team execute the same constructs, so
// their counts of constructs are equal.
// * Other threads poll `arrival` and `joined` while they wait, and sometimes read `made` and `finished`.
// * Other threads also steal from `deque`, and the master (thread 0) writes the places.
// * The counts include all regions that this team has run. Only after a cancelled region skerry_omp_forget_counts
//   resets the counts of barriers and singles.
struct omp_member {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word arrival; // team of two: number of the last barrier entered
#ifdef SKERRY_OMP_VARIANTS
    skerry_word joined; // number of regions that the thread ended, if SKERRY_OMP_JOIN=flags
#endif
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word made; // number of tasks made, except tasks that ran at once
    skerry_word finished;                                  // number of the team's tasks that finished on this thread
    // Number of barriers that the thread entered, except those of flag_exchange.h (omp_barriers).
    uint64_t barriers;
    uint64_t regions;           // number of regions that the thread ended; unused for the master
    skerry_word singles;        // number of single constructs that the thread has reached
    skerry_word singles_before; // value of `singles` at the thread's last barrier
    uint64_t work_shares;       // number of work-sharing constructs that the thread has reached
    uint32_t spare_count;
    struct omp_work_share *work_share; // last work-sharing construct that the thread entered
    struct omp_work_share *spares;     // free nodes, for work-sharing constructs that this thread enters first
    int32_t place;                     // number of the thread's place; the master writes it (place.c)
    uint32_t first_place, places;      // place partition of the thread: its first place, its number of places
    struct omp_thread *thread;
    struct omp_task implicit;
    struct omp_deque deque;
#if SKERRY_NEAR_MEMORY
    struct omp_near near;
#endif
};

// The values from which the master last computed the places (sets of processors) of a team's members (place.c).
struct omp_placing {
    uint32_t bind;         // enum omp_bind + 1; 0: no places were computed yet
    int32_t place;         // place of the master
    uint32_t first, count; // place partition of the master: its first place, its number of places
};

struct omp_team {
    // The master (thread 0) writes these words between regions. It writes only the words whose values differ from those
    // of the last region.
    uint32_t threads;
    int32_t eventcount; // eventcount at which the team's threads sleep: the master's
    uint32_t level, active_level;
    struct omp_team *outer;
    const struct omp_icv *icv;   // control variables of the team's implicit tasks
    uint32_t team_number, teams; // number of this team in its league, and number of teams of the league
    uint32_t outer_number;       // thread number of the master in the outer team

    // Words that waiting threads poll and that threads write rarely.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word released; // number of the last complete barrier (barrier.c)
    uint32_t work;           // hint: 1 if tasks were made after a waiting thread last searched for tasks and found none
    uint32_t tasks_made;     // 1 if a task was made in this region
    uint32_t cancelled;      // 1 if this region is cancelled
    uint64_t loop_cancelled; // number of the barrier that ends a cancelled loop or sections
    int32_t prioritized;     // number of ready tasks in the priority queue

    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct skerry_counter joined; // number of times that a thread ended a region
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word arrived; // number of arrivals of all threads at all barriers
#ifdef SKERRY_OMP_VARIANTS
    uint32_t arrival_lock; // protects `arrived` if SKERRY_OMP_BARRIER=mutex
#endif
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word single; // number of the last single that a thread began to run
    skerry_word arrivals[2];        // team of two, [i]: last barrier that thread i entered after a single (barrier.c)
    skerry_word finished_elsewhere; // number of this team's tasks that finished on threads outside the team
    skerry_word copied;             // number of the last single whose copyprivate data is ready
    void *copy_data;                // address of the data of that single

    // Only the master uses the words from `to_join` to `started`. But other threads too use `claimed` of a team at
    // level 0 (see there).
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word to_join;
    uint32_t pool_base;      // index of the team's thread 1 in the master's pool
    struct omp_state *saved; // the master's state before the region
    struct omp_icv icv_copy;
    struct omp_placing placed;
    // Number of threads of this region that count towards OMP_THREAD_LIMIT: all except its master. In a team at level 0
    // (outside all regions): the sum of these numbers for all regions nested in this team. The masters of all these
    // regions change this sum by atomic operations.
    uint32_t claimed;
    struct omp_team *next;
    struct omp_state saved_room; // the master's saved state if GOMP_parallel_start began the region
    void *started;               // memory of the region that GOMP_parallel_end frees in this case

    struct omp_work_share *work_shares; // first node of the list of work-sharing constructs (work_share.h)
    struct omp_work_share *spares;
    struct omp_priority_queue *priority_queue;
#ifdef SKERRY_OMP_VARIANTS
    struct omp_task_queues *task_queues; // NULL if SKERRY_OMP_TASKS chooses no queues or stacks
#endif
#if SKERRY_NEAR_MEMORY
    uint32_t wanted; // number of threads that the construct of the last region asked for, as the compiler passes it
#if SKERRY_EVENTS
    struct skerry_event_counter *join_counter; // the hardware's `joined`; NULL: none
    struct skerry_counter_sum *join_sum;       // counters by which the threads add to it; NULL: they add to it directly
    struct skerry_event_queue *queue;          // tasks of one thread (near_queue.h); NULL: none
    struct skerry_event_counter *unfinished;   // as in struct omp_near
    struct skerry_event_counter *transferred;  // as in struct omp_near; NULL: none
    struct skerry_event_counter *published;    // as in struct omp_near; NULL: none, or not used
    uint32_t has_maker;                        // 1 if a thread has put a task into the queue in this region
    bool has_no_queue;                         // the machine has no queue for this team
#endif
    struct omp_member *members[];
#else
    struct omp_member members[];
#endif
};

SKERRY_ALWAYS_INLINE struct omp_member *omp_member(const struct omp_team *team, uint32_t number) {
#if SKERRY_NEAR_MEMORY
    return team->members[number];
#else
    return (struct omp_member *)&team->members[number];
#endif
}

// The mailbox of a thread. It contains the descriptor (function and data) of the next region that the thread must run.
// The master of that region writes the mailbox. `number` is the number of the last descriptor that was delivered.
//
// On a machine with SKERRY_NEAR_MEMORY (simulated cores with their own memories) `function` is used in place of
// `number`. `function` is NULL if the mailbox is empty. The thread stores NULL when it takes a descriptor. A descriptor
// has one of two forms:
// * The thread stays in the team of its last region: `function` and `data` are the region's function and its argument.
//   The other fields are not used.
// * The team is possibly another team: `function` is skerry_omp_change_team, and `data` is the thread's struct
//   omp_thread. The other fields describe the region.
struct omp_box {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t number;
    uint32_t thread_number;
    omp_function *function;
    void *data;
    struct omp_team *team;
#if SKERRY_NEAR_MEMORY
    omp_function *region; // function and data of the first region in another team
    void *region_data;
#endif
};

#if SKERRY_NEAR_MEMORY
// Delivers a descriptor, `function` and `data`, to a thread's mailbox. If `function` is skerry_omp_change_team, the
// caller must have stored the other fields of the mailbox before.
SKERRY_ALWAYS_INLINE void omp_box_deliver(struct omp_box *box, omp_function *function, void *data, int worker) {
    _Static_assert(sizeof(void *) == sizeof(uint32_t), "the pointers of a descriptor are words");
    skerry_store_release_pair((uint32_t *)(void *)&box->function, (uint32_t)(uintptr_t)function,
                              (uint32_t)(uintptr_t)data, worker);
}

// Delivers the same descriptor, made by skerry_pair_make, to some mailboxes. `count` should be a constant.
SKERRY_ALWAYS_INLINE void omp_boxes_deliver(struct omp_box *const *boxes, uint32_t count, skerry_pair descriptor) {
#pragma GCC unroll 16
    for (uint32_t i = 0; i < count; i++) skerry_store_pair((uint32_t *)(void *)&boxes[i]->function, descriptor, 0);
}
#endif

// A thread's memory for tasks (block.h). Only this thread writes these words, except `returned`: other threads write
// `returned` too.
struct omp_store {
    struct omp_block *blocks[3];
    // List of blocks that this thread has freed, and that all belong to the same other thread. All blocks of the list
    // are returned to that thread together.
    struct omp_block *away, *away_last;
    uint32_t away_count;
    // List of this thread's blocks that other threads have returned. The other threads add blocks at the front of the
    // list.
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_block *returned;
};

// A thread of a thread pool.
struct omp_pooled {
    struct omp_thread *thread;
};

struct omp_thread {
    struct omp_box box;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct omp_state state;
    int32_t number;   // number of this thread among the machine's workers; also the number of its eventcount
    uint32_t regions; // number of the last region that it has taken from its mailbox
    bool ends;
    // Words for the regions in which this thread is the master.
    struct omp_pooled *pool; // thread pool: threads that this thread has started for its regions
    uint32_t pool_size, pool_capacity, pool_used;
    uint32_t pool_left;        // when the pool ends: number of its threads that have not ended; each subtracts 1
    struct omp_thread *leader; // thread whose pool contains this thread; NULL: the program started this thread
    struct omp_team *hot;      // teams of its last regions, kept for its next regions
#if SKERRY_NEAR_MEMORY
    struct omp_repeatable repeatable; // near_member.h
    // Mailboxes of the threads to which this thread, as a member of a team, forwards the descriptor of a repeated
    // region. The master stores these words. `forwards` is true if there are such threads.
    struct omp_box *forward_boxes[OMP_BOXES];
    bool forwards;
    // Stands for a mailbox in `boxes` or `forward_boxes` for which there is no thread.
    struct omp_box unused;
    struct omp_team *repeated; // the team of the region that this thread repeats now, while it is the first in `hot`
    bool can_cancel;           // copy of skerry_omp_device.cancellation
    bool owns_memory;          // true if an implicit task of this thread possibly owns memory; used by the master
#endif
#if SKERRY_EVENTS
    // Counter of the ends of the region that this thread runs for a master. NULL if the thread must do more at the end of
    // its part than add 1 to this counter: its implicit task owns memory, the thread ends, or there is no counter.
    struct skerry_event_counter *joined;
    // What the thread must do after its part of the region, for additions at the end of the region (near_sum.c). NULL: nothing.
    bool (*finish_sum)(struct omp_thread *self, struct omp_team *team);
#endif
    struct omp_team *solos; // teams at level 0 that the thread made and does not use now
    uint64_t rest_until;    // this thread steals no task before this time in nanoseconds: it rests (ready.c)
    uint64_t took_at;       // time of its last steal in nanoseconds; 0 after the next search
    uint32_t rest, took;    // rest: how often the rest's length was doubled; took: 1 from a steal to the rest's end
    int32_t place;
    uint32_t victim; // number of the thread from which it tries to steal first
#ifdef SKERRY_OMP_VARIANTS
    struct skerry_queue *descriptors; // queue of descriptors, if SKERRY_OMP_PARALLEL=queue
    uint32_t next_reader;             // modulo team size: thread that gets its next task (SKERRY_OMP_TASKS=srq, locks)
#endif
    struct omp_store store; // must be the last field, because it is kept when the thread ends (team.c)
};

// Forgets the thread's last region (parallel.c). The thread's next region then searches for its team. Must be called
// after a change of anything that determines a region's number of threads, such as a control variable.
SKERRY_ALWAYS_INLINE void omp_forget_repeatable(struct omp_thread *self) {
#if SKERRY_NEAR_MEMORY
    self->repeatable.task = NULL;
#else
    (void)self;
#endif
}

#include "near_thread.h"

// Notes that the implicit task of the calling thread now owns memory that must be freed at the end of the region.
SKERRY_ALWAYS_INLINE void omp_note_owner(struct omp_thread *self) {
#if SKERRY_NEAR_MEMORY
    self->owns_memory = true;
#endif
#if SKERRY_EVENTS
    self->joined = NULL;
#endif
    (void)self;
}

extern SKERRY_PER_THREAD struct omp_thread *skerry_omp_self;
struct omp_thread *skerry_omp_adopt(void);

// Returns the calling thread's struct omp_thread. If the thread is new to the runtime, first creates this struct and a
// team of one thread at level 0.
SKERRY_ALWAYS_INLINE struct omp_thread *omp_self(void) {
    struct omp_thread *self = skerry_omp_self;
    return OMP_LIKELY(self != NULL) ? self : skerry_omp_adopt();
}

// Returns true if the thread's mailbox contains a descriptor that the thread has not taken yet.
SKERRY_ALWAYS_INLINE bool omp_has_descriptor(const struct omp_thread *self) {
#if SKERRY_NEAR_MEMORY
    return __atomic_load_n(&self->box.function, __ATOMIC_ACQUIRE) != NULL;
#else
    return __atomic_load_n(&self->box.number, __ATOMIC_ACQUIRE) != self->regions;
#endif
}

// Returns the number of threads of the calling thread's team.
SKERRY_ALWAYS_INLINE uint32_t omp_threads(const struct omp_thread *self) {
#if SKERRY_NEAR_MEMORY
    return self->state.member->near.threads;
#else
    return self->state.team->threads;
#endif
}

// Returns the number of barriers that a thread of a team has entered.
SKERRY_ALWAYS_INLINE uint64_t omp_barriers(const struct omp_member *member) {
#if SKERRY_EVENTS && !SKERRY_EVENT_TARGETS
    return member->barriers + (member->near.exchange ? member->near.exchange->number : 0);
#else
    return member->barriers;
#endif
}

// Returns true if a task was made in this region. If another thread is just making the first task, the result can still
// be false.
SKERRY_ALWAYS_INLINE bool omp_knows_of_tasks(const struct omp_thread *self) {
#if SKERRY_NEAR_MEMORY
    return __atomic_load_n(&self->state.member->near.tasks_made, __ATOMIC_RELAXED);
#else
    return __atomic_load_n(&self->state.team->tasks_made, __ATOMIC_RELAXED);
#endif
}

// Returns a - b as a signed number. The result is also right if one of the two numbers has passed its largest value and
// begun again at 0. The two numbers must be closer than half of their range.
SKERRY_ALWAYS_INLINE int64_t omp_difference(skerry_word a, skerry_word b) {
    const skerry_word difference = a - b;
    return sizeof difference == sizeof(int64_t) ? (int64_t)difference : (int32_t)difference;
}

// Stores a word of 64 bits, and wakes the threads that sleep at the eventcount (a place in memory where threads sleep).
// The store is a release. Used for words that count iterations. These words have 64 bits even on machines whose
// skerry_word has 32 bits.
SKERRY_ALWAYS_INLINE void omp_store_release(uint64_t *word, uint64_t value, int eventcount) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    skerry_compiler_fence();
    skerry_wake(eventcount);
}

// -- Functions that several files of this folder call ------------------------------------------------------------------

// Defined in parallel.c:
// skerry_omp_fork makes the calling thread the master of a new region. The other threads of the region begin at once.
// The caller must then run the master's part. skerry_omp_join waits for the end of the region.
void skerry_omp_fork(struct omp_thread *self, struct omp_state *saved, omp_function *function, void *data,
                     uint32_t threads, uint32_t flags);
void skerry_omp_join(struct omp_thread *self);
// skerry_omp_gather runs an empty region of a kept team, which the caller has removed from the list of kept teams.
void skerry_omp_gather(struct omp_thread *self, struct omp_team *team);
void skerry_omp_change_team(void *thread); // the function of a descriptor for a thread that was in another team

// Defined in team.c:
// skerry_omp_take_team returns a team whose master is the calling thread and whose other threads are ready to run a
// region. The team can have fewer threads than wanted.
struct omp_team *skerry_omp_take_team(struct omp_thread *self, uint32_t threads);
void skerry_omp_keep_team(struct omp_thread *self, struct omp_team *team);
uint32_t skerry_omp_team_size(struct omp_thread *self, uint32_t wanted);
// skerry_omp_enter_solo makes the calling thread the only member of a team at level 0, the level outside all regions.
// skerry_omp_leave_solo restores the state `saved` of the thread. A target region runs between the two calls.
void skerry_omp_enter_solo(struct omp_thread *self);
void skerry_omp_leave_solo(struct omp_thread *self, const struct omp_state *saved);
void skerry_omp_end_pool(struct omp_thread *self);
void skerry_omp_work(void *thread); // in parallel.c: main function of the threads that the runtime starts
void skerry_omp_thread_free(struct omp_thread *thread);
void skerry_omp_forget_counts(struct omp_team *team);
void skerry_omp_end_implicit(struct omp_thread *self, struct omp_task *task); // frees what an implicit task owns
void skerry_omp_work_shares_reset(struct omp_team *team);
void skerry_omp_work_shares_free(struct omp_team *team);

// Defined in icv.c and environment.c:
void skerry_omp_begin(void); // reads the environment variables, if no earlier call has done so
const struct omp_icv *skerry_omp_level_icv(struct omp_team *team, const struct omp_icv *outer);
uint32_t skerry_omp_fewer(uint32_t threads);
uint32_t skerry_omp_claim_threads(struct omp_team *outer, uint32_t limit, uint32_t wanted);
void skerry_omp_return_threads(struct omp_team *team);
// `reason`: what skerry_worker_start returned. Warns once.
void skerry_omp_warn_of_fewer(uint32_t threads, uint32_t wanted, int reason);

void GOMP_parallel(omp_function *function, void *data, unsigned threads, unsigned flags);
void GOMP_parallel_start(omp_function *function, void *data, unsigned threads);

// Defined in barrier.c:
void skerry_omp_barrier(struct omp_thread *self);
bool skerry_omp_barrier_cancel(struct omp_thread *self); // returns true if the region is cancelled

// Defined in task.c:
bool skerry_omp_run_some_task(struct omp_thread *self, bool is_armed); // runs a task; returns false if it found none
skerry_word skerry_omp_tasks_left(const struct omp_team *team);
bool skerry_omp_is_quiet(const struct omp_team *team); // true if no task is left; exact only while all its threads wait
void skerry_omp_finish_tasks(struct omp_thread *self);
void skerry_omp_free_frames(struct omp_thread *self, struct omp_task *frame); // only with SKERRY_EVENTS
void skerry_omp_finish(struct omp_thread *self, struct omp_task *task);
bool skerry_omp_run_descendant(struct omp_thread *self, uint32_t searches); // runs a descendant of the current task

// Defined in ready.c:
// skerry_omp_make_ready adds a task to a queue in which other threads search for tasks. skerry_omp_find_task returns a
// task that the calling thread is allowed to run while it waits, or NULL if it finds none. If `ancestor` is NULL, this
// can be any task of the region. If not, the task must be a descendant of `ancestor`.
void skerry_omp_make_ready(struct omp_thread *self, struct omp_task *task);
struct omp_task *skerry_omp_find_task(struct omp_thread *self, const struct omp_task *ancestor);

// Defined in depend.c:
bool skerry_omp_depend(struct omp_thread *self, struct omp_task *task, void **list); // true if the task is ready
void skerry_omp_release_dependents(struct omp_thread *self, struct omp_task *task);
void skerry_omp_forget_addresses(struct omp_thread *self, struct omp_task *task);
void skerry_omp_await(struct omp_thread *self, void **list);

#endif
