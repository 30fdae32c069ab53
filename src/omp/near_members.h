// SPDX-License-Identifier: BSD-3-Clause
// Places the words of a team's members. On machines where the place of memory matters, each member's struct lies in
// memory near the member's thread, and the team's barriers and the ends of its regions use counters in hardware.
// Included by team.c.
#pragma once

#if SKERRY_NEAR_MEMORY
#if SKERRY_EVENTS
// Takes counters in hardware for the barriers of a team. If not enough counters are free, the team uses words in memory
// instead.
static void place_exchanges(struct omp_team *team, const struct skerry_tree_worker *workers) {
    const uint32_t threads = team->threads;
    int *numbers = skerry_memory_take(threads * sizeof *numbers, _Alignof(int));
    struct skerry_exchange **exchanges = skerry_memory_take(threads * sizeof *exchanges, _Alignof(void *));
    if (numbers && exchanges) {
        for (uint32_t i = 0; i < threads; i++) numbers[i] = workers[i].number;
        skerry_exchange_new(threads, numbers, exchanges);
        for (uint32_t i = 0; i < threads; i++) {
            team->members[i]->near.exchange = exchanges[i];
#if !SKERRY_EVENT_TARGETS
            if (exchanges[i]) exchanges[i]->context = &team->members[i]->near;
#endif
        }
    }
    skerry_memory_give(numbers);
    skerry_memory_give(exchanges);
}

#if OMP_HAS_SUMS
// Only programs with additions or reductions for it contain this function (near_sum.c).
extern void skerry_omp_place_sums(struct omp_team *team, const struct skerry_tree_worker *workers)
    __attribute__((weak));
// The same for additions by a counter (near_post.c).
extern void skerry_omp_place_posts(struct omp_team *team, const struct skerry_tree_worker *workers)
    __attribute__((weak));

static void place_sums(struct omp_team *team, const struct skerry_tree_worker *workers) {
    if (skerry_omp_place_sums && team->join_counter) skerry_omp_place_sums(team, workers);
    if (skerry_omp_place_posts && team->join_counter) skerry_omp_place_posts(team, workers);
}

static void free_sums(struct omp_team *team) {
    if (team->members[0]->near.posts) skerry_event_counter_give(team->members[0]->near.posts->counter);
    for (uint32_t i = 0; i < team->threads; i++) {
        skerry_memory_give(team->members[i]->near.posts);
        skerry_memory_give(team->members[i]->near.sum.reductions);
    }
}
#else
static void place_sums(struct omp_team *team, const struct skerry_tree_worker *workers) {
    (void)team, (void)workers;
}

static void free_sums(struct omp_team *team) {
    (void)team;
}
#endif

// Takes counters in hardware for the barriers of a team and for the ends of its regions. The arrays are allocated,
// because the stack is too small for them.
static void place_counters(struct omp_team *team, const struct omp_thread *self) {
    const uint32_t threads = team->threads;
    if (threads < 2) {
        team->members[0]->near.kept.state = OMP_KEPT_NEVER;
        return;
    }
    struct skerry_tree_worker *workers =
        skerry_memory_take(threads * sizeof *workers, _Alignof(struct skerry_tree_worker));
    if (!workers) return;
    for (uint32_t i = 0; i < threads; i++)
        workers[i].number = i ? self->pool[team->pool_base + i - 1].thread->number : self->number;
    place_exchanges(team, workers);
    team->transferred = skerry_event_counter_take(self->number);
#if OMP_TAKES_KEPT
    team->published = skerry_event_counter_take(self->number);
    struct skerry_event_counter *const idle = skerry_event_counter_take(self->number);
    team->members[0]->near.idle = idle; // free_counters gives it back
    const bool can_transfer = team->transferred && team->published && idle && threads <= 32;
#else
    const bool can_transfer = team->transferred;
#endif
    for (uint32_t i = 0; i < threads && can_transfer; i++) {
        struct omp_near *const near = &team->members[i]->near;
        near->transferred = team->transferred;
        near->can_transfer = true;
#if OMP_TAKES_KEPT
        near->published = &team->published->value;
        near->idle = idle;
        near->root = &team->members[i]->implicit;
        near->kept.bit = UINT32_C(1) << i;
#endif
    }
    team->join_counter = skerry_event_counter_take(self->number);
    if (team->join_counter) {
        team->join_sum = skerry_counter_sum_new(threads - 1, workers + 1, team->join_counter);
        for (uint32_t i = 1; i < threads; i++) team->members[i]->near.join_counter = workers[i].arrival;
    }
    place_sums(team, workers);
    skerry_memory_give(workers);
}

static void free_counters(struct omp_team *team) {
    skerry_event_counter_give(team->join_counter);
    skerry_counter_sum_free(team->join_sum);
    skerry_event_counter_give(team->unfinished);
    skerry_event_counter_give(team->transferred);
    skerry_event_counter_give(team->published);
#if OMP_TAKES_KEPT
    skerry_event_counter_give(team->members[0]->near.idle);
#endif
    skerry_event_queue_give(team->queue);
    for (uint32_t i = 0; i < team->threads; i++) skerry_exchange_free(team->members[i]->near.exchange);
    free_sums(team);
    if (team->threads == 1 && team->members[0]->implicit.spare)
        skerry_omp_free_frames(omp_self(), team->members[0]->implicit.spare);
}
#else
static void place_counters(struct omp_team *team, const struct omp_thread *self) {
    (void)team, (void)self;
}

static void free_counters(struct omp_team *team) {
    (void)team;
}
#endif

// Allocates the struct omp_member of each thread of a team in memory near this thread.
static void place_members(struct omp_team *team, const struct omp_thread *self) {
    for (uint32_t i = 0; i < team->threads; i++) {
        const int worker = i ? self->pool[team->pool_base + i - 1].thread->number : self->number;
        struct omp_member *member = skerry_memory_take_near(sizeof *member, SKERRY_FALSE_SHARING_RANGE, worker);
        if (!member) skerry_stop("libgomp: no memory for a team of threads");
        __builtin_memset(member, 0, sizeof *member);
        member->near.threads = team->threads;
        team->members[i] = member;
    }
    for (uint32_t i = 0; i < team->threads; i++) {
        struct omp_near *near = &team->members[i]->near;
        uint32_t round = 0;
        for (; 1u << round < team->threads; round++)
            near->rounds[round].partner = &team->members[(i + (1u << round)) % team->threads]->near.rounds[round];
        near->end = &near->rounds[round];
    }
    place_counters(team, self);
}

static void free_members(struct omp_team *team) {
    free_counters(team);
    for (uint32_t i = 0; i < team->threads; i++) skerry_memory_give(team->members[i]);
}

// Stores the pointer to the team's control variables in each thread's implicit task. On machines without
// SKERRY_NEAR_MEMORY each thread stores the pointer itself (enter in parallel.c).
static void store_icv(struct omp_team *team) {
    for (uint32_t i = 0; i < team->threads; i++) {
        team->members[i]->implicit.icv = team->icv;
        omp_forget_frame(&team->members[i]->implicit);
    }
}
#else
static void place_members(struct omp_team *team, const struct omp_thread *self) {
    (void)team;
    (void)self;
}

static void free_members(struct omp_team *team) {
    (void)team;
}

static void store_icv(struct omp_team *team) {
    (void)team;
}
#endif
