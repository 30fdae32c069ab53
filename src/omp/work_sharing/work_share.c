// SPDX-License-Identifier: BSD-3-Clause
// Manages the list of a team's work-sharing constructs (work_share.h). Each construct gets a node in the list. When all
// threads have entered the next construct, no thread uses the node any more. The node is then kept as a spare node for
// a later construct.
#include "work_share.h"

#include "../task/optional.h"

#define SPARES_MAX 4 // number of spares that one thread keeps; further spares go to the list of the team

static void clear(struct omp_work_share *work_share, uint32_t threads) {
    // Only a cancelled loop can leave chunks in its ranges. If cancellation is off, the ranges are already empty,
    // because the threads have taken all chunks.
    if (OMP_UNLIKELY(skerry_omp_device.cancellation))
        for (uint32_t i = 0; i < threads; i++) work_share->ranges[i].chunks = 0;
    skerry_memory_give(work_share->memory);
    skerry_memory_give(work_share->doacross);
    work_share->memory = NULL;
    work_share->doacross = NULL;
    work_share->reductions = NULL;
    work_share->passed = 0;
    work_share->ready = 0;
}

static struct omp_work_share *take_spare(struct omp_team *team, struct omp_member *member) {
    if (!member->spares && __atomic_load_n(&team->spares, __ATOMIC_RELAXED)) {
        member->spares = __atomic_exchange_n(&team->spares, NULL, __ATOMIC_ACQUIRE);
        // The spares in the team's list are not counted when the thread takes this list. This thread therefore possibly
        // keeps more than SPARES_MAX spares, which does no harm.
        member->spare_count = 0;
    }
    struct omp_work_share *work_share = member->spares;
    if (work_share) {
        member->spares = work_share->next;
        if (member->spare_count) member->spare_count--;
    } else {
        size_t bytes = sizeof *work_share + team->threads * sizeof(struct omp_range);
        work_share = skerry_memory_take(bytes, SKERRY_FALSE_SHARING_RANGE);
        if (!work_share) skerry_stop("libgomp: no memory for a work-sharing construct");
        __builtin_memset(work_share, 0, bytes);
    }
    work_share->next = NULL;
    return work_share;
}

static void keep_spare(struct omp_team *team, struct omp_member *member, struct omp_work_share *work_share) {
    if (member->spare_count < SPARES_MAX) {
        member->spare_count++;
        work_share->next = member->spares;
        member->spares = work_share;
        return;
    }
    work_share->next = __atomic_load_n(&team->spares, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&team->spares, &work_share->next, work_share, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
}

// Returns the first node of the team's list of work-sharing constructs. Adds this node if the list is empty. The list
// is empty in the team's first region, and in the region after a cancelled region, which resets the list
// (skerry_omp_work_shares_reset).
static struct omp_work_share *first_of(struct omp_team *team, struct omp_member *member) {
    struct omp_work_share *first = __atomic_load_n(&team->work_shares, __ATOMIC_ACQUIRE), *none = NULL;
    if (first) return first;
    struct omp_work_share *own = take_spare(team, member);
    if (__atomic_compare_exchange_n(&team->work_shares, &none, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return own;
    keep_spare(team, member, own);
    return none;
}

static uint32_t length_of(const struct omp_work_share *work_share) {
    uint32_t length = 0;
    for (; work_share; work_share = work_share->next) length++;
    return length;
}

// Makes the list empty, so that all threads begin with a new list. All threads must be outside every construct. Finds
// the slowest thread: the thread whose node is followed by the most nodes. The node of this thread, and all nodes after
// it, become spares. All nodes before it are spares already, because all threads have left them.
void skerry_omp_work_shares_reset(struct omp_team *team) {
    struct omp_work_share *longest = NULL;
    for (uint32_t i = 0; i < team->threads; i++) {
        struct omp_work_share *work_share =
            omp_member(team, i)->work_share ? omp_member(team, i)->work_share : team->work_shares;
        if (length_of(work_share) > length_of(longest)) longest = work_share;
        omp_member(team, i)->work_share = NULL;
    }
    team->work_shares = NULL;
    while (longest) {
        struct omp_work_share *work_share = longest;
        longest = work_share->next;
        clear(work_share, team->threads);
        keep_spare(team, omp_member(team, 0), work_share);
    }
}

static void free_list(struct omp_work_share *work_share) {
    while (work_share) {
        struct omp_work_share *next = work_share->next;
        skerry_memory_give(work_share);
        work_share = next;
    }
}

void skerry_omp_work_shares_free(struct omp_team *team) {
    skerry_omp_work_shares_reset(team);
    free_list(team->spares);
    for (uint32_t i = 0; i < team->threads; i++) free_list(omp_member(team, i)->spares);
}

bool skerry_omp_work_share_enter(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    struct omp_member *member = self->state.member;
    struct omp_work_share *last = member->work_share ? member->work_share : first_of(team, member);
    struct omp_work_share *work_share = __atomic_load_n(&last->next, __ATOMIC_ACQUIRE);
    bool is_first = false;
    if (!work_share) {
        struct omp_work_share *own = take_spare(team, member);
        is_first =
            __atomic_compare_exchange_n(&last->next, &work_share, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        if (is_first) work_share = own;
        else keep_spare(team, member, own);
    }
    member->work_share = self->state.work_share = work_share;
    member->work_shares++;
    self->state.chunk_count = 0;
    if (__atomic_add_fetch(&last->passed, 1, __ATOMIC_ACQ_REL) == team->threads) {
        clear(last, team->threads);
        keep_spare(team, member, last);
    }
    if (!is_first) SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(&work_share->ready), team->eventcount);
    return is_first;
}

void skerry_omp_work_share_extras(struct omp_thread *self, bool is_first, uintptr_t *reductions, void **memory) {
    struct omp_work_share *work_share = self->state.work_share;
    if (reductions) {
        GOMP_taskgroup_start();
        self->state.task->group->of_construct = true;
        skerry_omp_reduction_register(self, reductions, is_first ? NULL : work_share->reductions,
                                      self->state.team->threads);
        if (is_first) work_share->reductions = reductions;
    }
    if (!memory) return;
    if (is_first) {
        size_t bytes = (size_t)(uintptr_t)*memory;
        work_share->memory = skerry_memory_take(bytes, SKERRY_LINE);
        if (!work_share->memory) skerry_stop("libgomp: no memory for a work-sharing construct");
        __builtin_memset(work_share->memory, 0, bytes);
    }
    *memory = work_share->memory;
}
