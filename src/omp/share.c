// SPDX-License-Identifier: BSD-3-Clause
// The ring of work-sharing constructs of a team.
#include "share.h"

static void free_all(struct omp_share *shares) {
    for (uint64_t n = 1; n <= OMP_SHARES; n++) shares[n % OMP_SHARES].turn = 2 * n - 1;
}

static struct omp_share *make(struct omp_team *team) {
    struct omp_share *shares = skerry_memory_take(OMP_SHARES * sizeof *shares, SKERRY_APART), *none = NULL;
    if (!shares) skerry_stop("libgomp: no memory for the work-sharing constructs of a team");
    __builtin_memset(shares, 0, OMP_SHARES * sizeof *shares);
    free_all(shares);
    if (__atomic_compare_exchange_n(&team->shares, &none, shares, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return shares;
    skerry_memory_give(shares); // another thread was faster
    return none;
}

static void clear(struct omp_share *share) {
    skerry_memory_give(share->memory);
    skerry_memory_give(share->doacross);
    share->memory = NULL;
    share->doacross = NULL;
    share->reductions = NULL;
    share->left = 0;
}

// The team's threads count from 1 again.
void skerry_omp_shares_reset(struct omp_team *team) {
    if (!team->shares) return;
    for (uint32_t i = 0; i < OMP_SHARES; i++) clear(&team->shares[i]);
    free_all(team->shares);
}

bool skerry_omp_share_enter(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    struct omp_share *shares = __atomic_load_n(&team->shares, __ATOMIC_ACQUIRE);
    if (OMP_UNLIKELY(!shares)) shares = make(team);
    uint64_t number = ++self->state.member->shares;
    struct omp_share *share = self->state.share = &shares[number % OMP_SHARES];
    self->state.trip = 0;
    SKERRY_PAUSE(pause);
    for (;;) {
        uint64_t turn = SKERRY_LOAD_ACQUIRE(&share->turn);
        if (turn == 2 * number + 1) return false;
        if (turn == 2 * number - 1 &&
            __atomic_compare_exchange_n(&share->turn, &turn, 2 * number, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return true;
        skerry_pause(&pause, team->bell);
    }
}

void skerry_omp_share_leave(struct omp_thread *self) {
    struct omp_share *share = self->state.share;
    struct omp_team *team = self->state.team;
    if (!share) return; // a loop that the compiler shares out by itself
    self->state.share = NULL;
    if (__atomic_add_fetch(&share->left, 1, __ATOMIC_ACQ_REL) != team->threads) return;
    clear(share);
    skerry_post(&share->turn, 2 * ((uint64_t)self->state.member->shares + OMP_SHARES) - 1, team->bell);
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
