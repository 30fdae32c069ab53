// SPDX-License-Identifier: BSD-3-Clause
// Frees kept teams, on machines with SKERRY_NEAR_MEMORY: the memory and the counters near a core are few, and a program whose
// regions have many different sizes would fill them with teams. team.c includes this file.
//
// When may a team be freed? A thread reads a team, and words of its other members, from the time when it takes a descriptor of a
// region of this team until it takes a descriptor of another team's region (skerry_omp_change_team): in between, it waits at its
// mailbox and searches for tasks. Its master cannot see when it takes the second descriptor. But the master waits for the end of
// each region. So when a region of another team has ended, all threads of that region have left the team of their region
// before, and their stores to it have arrived: a thread completes its stores before it reports its end. Hardware keeps nothing of
// the team that arrives later: all tasks of a region have ended with it, and a queue that is taken again forgets requests.
//
// The list of kept teams is in the order in which their last regions have ended, the latest first (skerry_omp_keep_team). So the
// threads of a team have left it if each of them is a thread of a team before it in the list. The master itself is in none of
// these teams, except in the one of a region that it repeats (`repeated`), which is never freed. No word is needed for this, and
// regions that use kept teams take no time for it.
//
// A thread that belongs to none of the teams before stays in the last team that had it: after regions of 64, 63, 62, ... threads
// each of these teams has a thread. Then the master first runs an empty region of the largest team (gather), which all these
// threads join. It does so only while it makes a team, between two regions. test/model/near_teams.pml is a model of this.
//
// Another team can get the memory of a freed team. Addresses of teams and their implicit tasks are compared in
// skerry_omp_take_team (has_place_in), in struct omp_repeatable, which is forgotten with its team, and in frames of tasks
// (near_frame.h), whose words are the same for all implicit tasks at one address.
#ifndef SKERRY_OMP_NEAR_TEAMS_H
#define SKERRY_OMP_NEAR_TEAMS_H

#if SKERRY_NEAR_MEMORY

static SKERRY_PER_THREAD bool makes_team; // the thread makes a team now
// Several threads can make teams of one thread at the same time, and change this word. A lost change does no harm. It is not a
// word per thread, because that would move words that a barrier uses, and a barrier of 4 threads would take 3 cycles more.
static uint32_t random = 1;

_Static_assert(SKERRY_WORKERS_MAX <= 64, "a bit for each thread of a pool");

// Returns a bit for each thread of the pool that belongs to the team.
static uint64_t threads_in_pool(const struct omp_team *team) {
    return ((UINT64_C(1) << (team->threads - 1)) - 1) << team->pool_base;
}

// Returns true if the team has memory near a worker.
static bool is_near(const struct omp_thread *self, const struct omp_team *team, int worker) {
    if (worker == self->number) return true;
    for (uint32_t i = 1; i < team->threads; i++)
        if (self->pool[team->pool_base + i - 1].thread->number == worker) return true;
    return false;
}

// Frees one of the teams of `self` that all threads have left, that have at least `least` threads, and that have memory near the
// worker. Returns false if there is none.
// Each of them is chosen with the same probability. The one that was not used for the longest time would be the next one to be
// used if a program has regions of all sizes in turn, and to make a team takes some 7000 cycles for each thread.
static bool free_one(struct omp_thread *self, int worker, uint32_t least) {
    struct omp_team **chosen = NULL;
    uint32_t candidates = 0;
    uint64_t later = 0; // threads of the teams before in the list
    for (struct omp_team **place = &self->hot; *place; place = &(*place)->next) {
        const struct omp_team *team = *place;
        const uint64_t threads = threads_in_pool(team);
        if (team->threads >= least && !(threads & ~later) && team != self->repeated && is_near(self, team, worker)) {
            const uint32_t next = __atomic_load_n(&random, __ATOMIC_RELAXED) * 1103515245 + 12345;
            __atomic_store_n(&random, next, __ATOMIC_RELAXED);
            if ((next >> 16) % ++candidates == 0) chosen = place;
        }
        later |= threads;
    }
    if (!chosen) return false;
    struct omp_team *team = *chosen;
    *chosen = team->next;
    if (self->repeatable.team == team) omp_forget_repeatable(self);
    team_free(team);
    return true;
}

// Makes all threads that are in no region leave their teams for the largest kept team. Returns false if they are there already.
static bool gather(struct omp_thread *self) {
    struct omp_team **largest = &self->hot;
    for (struct omp_team **place = &self->hot; *place; place = &(*place)->next) {
        const struct omp_team *team = *place, *other = *largest;
        if (team->threads > 1 && team->pool_base >= self->pool_used &&
            team->pool_base + team->threads > other->pool_base + other->threads)
            largest = place;
    }
    if (largest == &self->hot) return false;
    struct omp_team *team = *largest;
    *largest = team->next;
    skerry_omp_gather(self, team);
    return true;
}

// Called by the machine if nothing is free near a worker. Frees a team of one thread last: it is small, and often the next region,
// nested in the one that begins now, needs it.
static bool free_some(int worker) {
    struct omp_thread *self = skerry_omp_self;
    if (!self) return false;
    return free_one(self, worker, 2) || (makes_team && gather(self) && free_one(self, worker, 2)) ||
           free_one(self, worker, 1);
}

static void omp_begin_teams(void) {
    skerry_memory_on_shortage(free_some);
}

static void omp_begin_team_new(void) {
    makes_team = true;
}

static void omp_end_team_new(void) {
    makes_team = false;
}

#else

static void omp_begin_teams(void) {
}

static void omp_begin_team_new(void) {
}

static void omp_end_team_new(void) {
}

#endif

#endif
