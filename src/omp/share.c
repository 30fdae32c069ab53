// SPDX-License-Identifier: BSD-3-Clause
// The list of work-sharing constructs of a team.
#include "share.h"

#define SPARES_MAX 4 // of one thread; more go to the team

static void clear(struct omp_share *share, uint32_t threads) {
    // The threads of a loop that was not cancelled have emptied their ranges.
    if (OMP_UNLIKELY(skerry_omp_device.cancellation))
        for (uint32_t i = 0; i < threads; i++) share->ranges[i].chunks = 0;
    skerry_memory_give(share->memory);
    skerry_memory_give(share->doacross);
    share->memory = NULL;
    share->doacross = NULL;
    share->reductions = NULL;
    share->passed = 0;
    share->ready = 0;
}

static struct omp_share *take_spare(struct omp_team *team, struct omp_member *member) {
    if (!member->spares && __atomic_load_n(&team->spares, __ATOMIC_RELAXED)) {
        member->spares = __atomic_exchange_n(&team->spares, NULL, __ATOMIC_ACQUIRE);
        member->spare_count = 0; // too few: those are kept here all the same
    }
    struct omp_share *share = member->spares;
    if (share) {
        member->spares = share->next;
        if (member->spare_count) member->spare_count--;
    } else {
        size_t bytes = sizeof *share + team->threads * sizeof(struct omp_range);
        share = skerry_memory_take(bytes, SKERRY_APART);
        if (!share) skerry_stop("libgomp: no memory for a work-sharing construct");
        __builtin_memset(share, 0, bytes);
    }
    share->next = NULL;
    return share;
}

static void keep_spare(struct omp_team *team, struct omp_member *member, struct omp_share *share) {
    if (member->spare_count < SPARES_MAX) {
        member->spare_count++;
        share->next = member->spares;
        member->spares = share;
        return;
    }
    share->next = __atomic_load_n(&team->spares, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(&team->spares, &share->next, share, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
}

// All threads of the team are to begin with the same one: the first time, and when after a cancellation they have met different ones.
static struct omp_share *first_of(struct omp_team *team, struct omp_member *member) {
    struct omp_share *first = __atomic_load_n(&team->shares, __ATOMIC_ACQUIRE), *none = NULL;
    if (first) return first;
    struct omp_share *own = take_spare(team, member);
    if (__atomic_compare_exchange_n(&team->shares, &none, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return own;
    keep_spare(team, member, own);
    return none;
}

static uint32_t length_of(const struct omp_share *share) {
    uint32_t length = 0;
    for (; share; share = share->next) length++;
    return length;
}

// The threads begin anew, all outside of every construct. Not passed by all are those from the slowest thread's one on.
void skerry_omp_shares_reset(struct omp_team *team) {
    struct omp_share *longest = NULL;
    for (uint32_t i = 0; i < team->threads; i++) {
        struct omp_share *share = team->members[i].share ? team->members[i].share : team->shares;
        if (length_of(share) > length_of(longest)) longest = share;
        team->members[i].share = NULL;
    }
    team->shares = NULL;
    while (longest) {
        struct omp_share *share = longest;
        longest = share->next;
        clear(share, team->threads);
        keep_spare(team, &team->members[0], share);
    }
}

static void free_list(struct omp_share *share) {
    while (share) {
        struct omp_share *next = share->next;
        skerry_memory_give(share);
        share = next;
    }
}

void skerry_omp_shares_free(struct omp_team *team) {
    skerry_omp_shares_reset(team);
    free_list(team->spares);
    for (uint32_t i = 0; i < team->threads; i++) free_list(team->members[i].spares);
}

bool skerry_omp_share_enter(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    struct omp_member *member = self->state.member;
    struct omp_share *last = member->share ? member->share : first_of(team, member);
    struct omp_share *share = __atomic_load_n(&last->next, __ATOMIC_ACQUIRE);
    bool is_first = false;
    if (!share) {
        struct omp_share *own = take_spare(team, member);
        is_first = __atomic_compare_exchange_n(&last->next, &share, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        if (is_first) share = own;
        else keep_spare(team, member, own);
    }
    member->share = self->state.share = share;
    member->shares++;
    self->state.trip = 0;
    if (__atomic_add_fetch(&last->passed, 1, __ATOMIC_ACQ_REL) == team->threads) {
        clear(last, team->threads);
        keep_spare(team, member, last);
    }
    if (!is_first) SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(&share->ready), team->bell);
    return is_first;
}

void skerry_omp_share_extras(struct omp_thread *self, bool is_first, uintptr_t *reductions, void **memory) {
    struct omp_share *share = self->state.share;
    if (reductions) {
        GOMP_taskgroup_start();
        self->state.task->group->of_construct = true;
        skerry_omp_reduction_register(self, reductions, is_first ? NULL : share->reductions, self->state.team->threads);
        if (is_first) share->reductions = reductions;
    }
    if (!memory) return;
    if (is_first) {
        size_t bytes = (size_t)(uintptr_t)*memory;
        share->memory = skerry_memory_take(bytes, SKERRY_LINE);
        if (!share->memory) skerry_stop("libgomp: no memory for a work-sharing construct");
        __builtin_memset(share->memory, 0, bytes);
    }
    *memory = share->memory;
}
