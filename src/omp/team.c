// SPDX-License-Identifier: BSD-3-Clause
// Manages teams and their threads. A thread that forks regions keeps two things for its next regions: the threads that
// it has started (its thread pool), and the teams of its last regions. Its next region of the same size therefore
// allocates nothing. If a thread that the program started ends, its thread pool ends too.
#include "environment/place.h"
#include "sync/mutex.h"
#include "task/group.h"
#include "task/optional.h"
#include "variant/variant.h"

SKERRY_PER_THREAD struct omp_thread *skerry_omp_self;
#if SKERRY_EVENTS
SKERRY_PER_THREAD struct skerry_exchange *skerry_omp_exchange;
SKERRY_PER_THREAD struct omp_sum *skerry_omp_sum, *skerry_omp_reduction, *skerry_omp_swap;
SKERRY_PER_THREAD struct omp_posts *skerry_omp_post;
SKERRY_PER_THREAD uint32_t skerry_omp_queue_places;
#endif

// List of the structs of threads that have ended. The structs are used again for new threads and never freed. The
// reason: other threads can still return blocks of memory for tasks to the owner of such a struct (task/block.h).
static struct omp_thread *retired;
static uint32_t retired_lock;

static struct omp_thread *thread_take_retired(void) {
    omp_mutex_take(&retired_lock);
    struct omp_thread *thread = retired;
    if (thread) retired = thread->leader;
    omp_mutex_give(&retired_lock);
    return thread;
}

// Allocates and initialises the struct of a thread. The memory is near worker `worker`, the machine's worker (processor
// or core) that will run this thread. -1: the number of this worker is not known. Returns NULL if there is no memory.
static struct omp_thread *thread_new(int worker) {
    struct omp_thread *thread = thread_take_retired();
    if (!thread) {
        thread = skerry_memory_take_near(sizeof *thread, SKERRY_FALSE_SHARING_RANGE, worker);
        if (!thread) return NULL;
        __builtin_memset(&thread->store, 0, sizeof thread->store);
    }
    __builtin_memset(thread, 0, offsetof(struct omp_thread, store));
    thread->place = -1;
    thread->number = -1;
#if SKERRY_NEAR_MEMORY
    thread->can_cancel = skerry_omp_device.cancellation;
#endif
    return thread;
}

#include "near_members.h"

// Makes a team whose master (the thread that forks its regions) is `self`. The other threads of the team are in the
// thread pool of `self`, from index `base` on.
static struct omp_team *team_new(struct omp_thread *self, uint32_t threads, uint32_t base) {
    size_t bytes = sizeof(struct omp_team) + threads * sizeof(((struct omp_team *)NULL)->members[0]);
    struct omp_team *team = skerry_memory_take_near(bytes, SKERRY_FALSE_SHARING_RANGE, self->number);
    if (!team) skerry_stop("libgomp: no memory for a team of threads");
    __builtin_memset(team, 0, bytes);
    team->threads = threads;
    team->pool_base = base;
    place_members(team, self);
    for (uint32_t i = 0; i < threads; i++) {
        omp_member(team, i)->implicit.team = team;
        omp_member(team, i)->implicit.thread_number = i;
        omp_note_extras(&omp_member(team, i)->implicit); // taskwait and GOMP_task treat it as a task that is not simple
        omp_member(team, i)->place = -1;
    }
    return team;
}

static void team_free(struct omp_team *team) {
    skerry_memory_give(team->priority_queue);
    if (OMP_VARIANT(OMP_TASKS) != OMP_TASKS_DEQUE) skerry_omp_tasks_free(team);
    skerry_omp_work_shares_free(team);
    free_members(team);
    skerry_memory_give(team);
}

static void teams_free(struct omp_team **list) {
    while (*list) {
        struct omp_team *team = *list;
        *list = team->next;
        team_free(team);
    }
}

#include "near_teams.h"

// -- Threads of the program's own --------------------------------------------------------------------------------------

// Ends the threads of the thread pool of `self` and frees the teams of `self`. These threads read the struct of their
// last team until they end. The function therefore waits until every thread of the pool has ended before it frees the
// teams.
void skerry_omp_end_pool(struct omp_thread *self) {
    __atomic_store_n(&self->pool_left, self->pool_size, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < self->pool_size; i++) {
        struct omp_thread *thread = self->pool[i].thread;
        __atomic_store_n(&thread->ends, true, __ATOMIC_RELAXED);
#if SKERRY_NEAR_MEMORY
        omp_box_deliver(&thread->box, skerry_omp_change_team, thread, thread->number);
#else
        skerry_store_release_32(&thread->box.number, thread->box.number + 1, thread->number);
#endif
    }
    SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(&self->pool_left) == 0, self->number);
    skerry_memory_give(self->pool);
    self->pool = NULL;
    self->pool_size = self->pool_capacity = self->pool_used = 0;
    omp_forget_repeatable(self);
#if OMP_HAS_SUMS
    skerry_omp_post = NULL;
    skerry_omp_sum = skerry_omp_reduction = skerry_omp_swap = NULL; // it possibly belongs to one of the teams
#endif
    teams_free(&self->hot);
}

void skerry_omp_thread_free(struct omp_thread *thread) {
    skerry_omp_end_pool(thread);
    teams_free(&thread->solos);
    struct omp_thread *leader = thread->leader;
    omp_mutex_take(&retired_lock);
    thread->leader = retired;
    retired = thread;
    omp_mutex_give(&retired_lock);
    if (!leader) return;
    int eventcount = leader->number;
    __atomic_fetch_sub(&leader->pool_left, 1, __ATOMIC_ACQ_REL);
    skerry_wake(eventcount);
}

static void thread_ends(void) {
    struct omp_thread *self = skerry_omp_self;
    skerry_omp_self = NULL;
    if (!self) return;
    struct omp_team *team = self->state.team;
    if (team->level == 0) {
        skerry_omp_end_implicit(self, &omp_member(team, 0)->implicit);
        team_free(team);
    }
    skerry_omp_thread_free(self);
}

// Called in the child process after fork(). Makes the thread pool and the list of teams empty, because the threads of
// the pool do not exist in the child. The memory of the old pool and teams is not freed.
static void forked(void) {
    struct omp_thread *self = skerry_omp_self;
    if (!self) return;
    self->pool = NULL;
    self->pool_size = self->pool_capacity = self->pool_used = 0;
    self->hot = NULL;
    omp_forget_repeatable(self);
}

void skerry_omp_end_implicit(struct omp_thread *self, struct omp_task *task) {
    if (task->owns_icv) skerry_omp_drop_icv(task);
    if (task->addresses) skerry_omp_forget_addresses(self, task);
    if (SKERRY_NEAR_MEMORY) task->icv = task->team->icv; // the next region does not compare them
}

void skerry_omp_enter_solo(struct omp_thread *self) {
    struct omp_team *team = self->solos;
    if (team) self->solos = team->next;
    else team = team_new(self, 1, 0);
    struct omp_member *member = omp_member(team, 0);
    team->eventcount = self->number;
    team->icv = &skerry_omp_initial_icv;
    team->teams = 1;
    team->team_number = 0;
    member->thread = self;
    member->implicit.icv = team->icv;
    member->implicit.eventcount = self->number;
    member->place = self->place;
    member->places = skerry_omp_places.count;
    omp_close_queue();
    self->state = (struct omp_state){
        .team = team, .member = member, .task = &member->implicit, .task_mark = member->deque.bottom};
    omp_note_member(self);
}

void skerry_omp_leave_solo(struct omp_thread *self, const struct omp_state *saved) {
    struct omp_team *team = self->state.team;
    if (team->tasks_made) skerry_omp_finish_tasks(self);
    skerry_omp_end_implicit(self, &omp_member(team, 0)->implicit);
    team->next = self->solos;
    self->solos = team;
    self->state = *saved;
    if (SKERRY_EVENTS && self->state.member) omp_note_member(self);
}

struct omp_thread *skerry_omp_adopt(void) {
    static bool once;
    if (!__atomic_exchange_n(&once, true, __ATOMIC_ACQ_REL)) {
        skerry_at_fork(forked);
        omp_begin_teams();
    }
    skerry_omp_begin();
    skerry_worker_adopt(thread_ends);
    struct omp_thread *self = thread_new(skerry_my_pe());
    if (!self) skerry_stop("libgomp: no memory for a thread");
    self->number = skerry_my_pe();
    skerry_omp_enter_solo(self);
    skerry_omp_self = self;
    if (skerry_omp_places.count) skerry_omp_place_initial(self);
    return self;
}

// -- Teams -------------------------------------------------------------------------------------------------------------

// Starts threads until the pool has `wanted` threads, or until the system does not allow another thread. Returns the
// number of threads in the pool.
static uint32_t grow_pool(struct omp_thread *self, uint32_t wanted) {
    if (wanted > self->pool_capacity) {
        uint32_t room = wanted + self->pool_capacity;
        struct omp_pooled *pool = skerry_memory_take(room * sizeof *pool, _Alignof(struct omp_pooled));
        if (!pool) return self->pool_size;
        if (self->pool_size) __builtin_memcpy(pool, self->pool, self->pool_size * sizeof *pool);
        skerry_memory_give(self->pool);
        self->pool = pool;
        self->pool_capacity = room;
    }
    int reason = SKERRY_NO_MEMORY;
    while (self->pool_size < wanted) {
        struct omp_thread *thread = thread_new(skerry_worker_next());
        if (!thread) break;
        thread->number = skerry_worker_start(skerry_omp_work, thread);
        if (thread->number < 0) {
            reason = thread->number;
            skerry_memory_give(thread);
            break;
        }
        thread->leader = self;
        self->pool[self->pool_size++] = (struct omp_pooled){thread};
    }
    if (self->pool_size < wanted)
        skerry_omp_warn_of_fewer(self->pool_size - self->pool_used + 1, wanted - self->pool_used + 1, reason);
    return self->pool_size;
}

static struct omp_team *make_team(struct omp_thread *self, uint32_t threads) {
    uint32_t base = self->pool_used;
    if (threads > 1) {
        uint32_t pool = grow_pool(self, base + threads - 1);
        if (pool - base + 1 < threads) threads = pool - base + 1;
    }
    omp_begin_team_new();
    struct omp_team *team = team_new(self, threads, base);
    omp_end_team_new();
    team->eventcount = self->number;
    team->teams = 1;
    for (uint32_t i = 0; i < threads; i++) {
        struct omp_thread *thread = i ? self->pool[base + i - 1].thread : self;
        omp_member(team, i)->thread = thread;
        omp_member(team, i)->implicit.eventcount = thread->number;
    }
    return team;
}

static struct omp_team *find_team(struct omp_thread *self, uint32_t threads) {
    for (struct omp_team **place = &self->hot; *place; place = &(*place)->next) {
        struct omp_team *team = *place;
        if (team->threads != threads || (threads > 1 && team->pool_base != self->pool_used)) continue;
        *place = team->next;
        team->pool_base = self->pool_used; // a team of one thread has no thread of the pool
        return team;
    }
    return make_team(self, threads);
}

uint32_t skerry_omp_team_size(struct omp_thread *self, uint32_t wanted) {
    const struct omp_team *outer = self->state.team;
    const struct omp_icv *icv = self->state.task->icv;
    if (wanted == 1 || outer->active_level >= icv->max_active_levels) return 1;
    uint32_t threads = wanted ? wanted : icv->threads;
    if (OMP_UNLIKELY(icv->dynamic)) threads = skerry_omp_fewer(threads);
    if (OMP_UNLIKELY(threads > icv->thread_limit)) threads = icv->thread_limit;
    return threads;
}

// Returns true if the words that a team derives from the team around it are right.
SKERRY_ALWAYS_INLINE bool has_place_in(const struct omp_team *team, const struct omp_team *outer) {
    const uint32_t differs = (team->level ^ (outer->level + 1)) |
                             (team->active_level ^ (outer->active_level + (team->threads > 1))) |
                             (team->team_number ^ outer->team_number) | (team->teams ^ outer->teams);
    return differs == 0;
}

struct omp_team *skerry_omp_take_team(struct omp_thread *self, uint32_t wanted) {
    uint32_t threads = skerry_omp_team_size(self, wanted), claimed = 0;
    uint32_t limit = self->state.task->icv->thread_limit;
    if (OMP_UNLIKELY(limit != UINT32_MAX)) {
        threads = skerry_omp_claim_threads(self->state.team, limit, threads);
        claimed = threads - 1;
    }
#if SKERRY_NEAR_MEMORY
    if (OMP_UNLIKELY(self->repeated != NULL)) { // this region begins inside a repeated region (parallel.c)
        self->hot = self->repeated->next;
        self->pool_used += self->repeated->threads - 1;
        self->repeated = NULL;
    }
#endif
    struct omp_team *team = self->hot;
    if (OMP_LIKELY(team && team->threads == threads && team->pool_base == self->pool_used)) self->hot = team->next;
    else team = find_team(self, threads);
    if (OMP_UNLIKELY(claimed)) team->claimed = claimed;
#if SKERRY_NEAR_MEMORY
    team->wanted = wanted;
#endif
    threads = team->threads;
    self->pool_used += threads - 1;
    // Other threads have the team's words in their caches, and a store would take the cache line away from them. This
    // thread therefore stores to a word only if its value differs from the value in the last region.
    // The outer team can be the same as in the last region and lie at another level now, if it began inside another team.
    struct omp_team *outer = self->state.team;
    if (OMP_UNLIKELY(team->outer != outer || !has_place_in(team, outer))) {
        team->outer = outer;
        team->level = outer->level + 1;
        team->active_level = outer->active_level + (threads > 1);
        team->team_number = outer->team_number;
        team->teams = outer->teams;
    }
    if (OMP_UNLIKELY(team->outer_number != self->state.thread_number)) team->outer_number = self->state.thread_number;
    const struct omp_icv *icv = self->state.task->icv;
    if (OMP_UNLIKELY(skerry_omp_device.threads_levels > 1 || skerry_omp_device.bind_levels > 1))
        icv = skerry_omp_level_icv(team, icv);
    if (OMP_UNLIKELY(team->icv != icv)) {
        team->icv = icv;
        store_icv(team);
    }
    return team;
}

// Keeps the team for a later region. The team cannot be freed now, because threads that wait at their mailboxes still read
// the team of their last region (near_teams.h).
void skerry_omp_keep_team(struct omp_thread *self, struct omp_team *team) {
    self->pool_used -= team->threads - 1;
    if (OMP_UNLIKELY(team->claimed)) skerry_omp_return_threads(team);
    team->next = self->hot;
    self->hot = team;
}

// Resets the team's counts of constructs after a cancelled region. After such a region the threads have possibly
// executed different numbers of constructs. Called when all threads have ended the region.
void skerry_omp_forget_counts(struct omp_team *team) {
    team->cancelled = 0;
    team->released = team->arrived = 0;
    team->single = team->copied = team->arrivals[0] = team->arrivals[1] = 0;
    for (uint32_t i = 0; i < team->threads; i++) {
        struct omp_member *member = omp_member(team, i);
        member->arrival = 0;
        member->barriers = member->singles = member->singles_before = 0;
#if SKERRY_NEAR_MEMORY
        for (uint32_t j = 0; j < OMP_NEAR_ROUNDS; j++)
            member->near.rounds[j].signals[0] = member->near.rounds[j].signals[1] = 0;
        member->near.slow_barriers = member->near.slow_released = 0;
#endif
    }
    skerry_omp_work_shares_reset(team);
}
