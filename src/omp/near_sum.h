// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files with the operations at the end of a region share: near_sum.c and near_post.c (additions of an integer
// in large and in small teams), near_reduction.c (other operations, and several variables) and near_reduce_barrier.c (before a
// barrier).
#ifndef SKERRY_OMP_NEAR_SUM_H
#define SKERRY_OMP_NEAR_SUM_H

#include "internal.h"

#if OMP_HAS_SUMS

// Prepares a team for additions by a counter (near_post.c). `workers` has the number of each thread's worker.
void skerry_omp_place_posts(struct omp_team *team, const struct skerry_tree_worker *workers);

// Makes the tree of a team. `workers` has the number of each thread's worker.
void skerry_omp_place_sums(struct omp_team *team, const struct skerry_tree_worker *workers);

#define OMP_SUM_GROUP 4

// Returns the number of the thread above thread `number`, which is not 0, in the tree of additions (near_sum.c).
SKERRY_ALWAYS_INLINE uint32_t omp_sum_above(uint32_t number) {
    uint32_t group = OMP_SUM_GROUP;
    while (number % group == 0) group *= OMP_SUM_GROUP;
    return number - number % group;
}

// Takes memory near each thread for its struct omp_reductions. Returns false if there is not enough.
bool skerry_omp_place_partials(struct omp_team *team, const struct skerry_tree_worker *workers);

// Returns true if the threads perform the operations at the end of the present region by themselves.
SKERRY_ALWAYS_INLINE bool omp_sum_is_skipped(const struct omp_sum *sum) {
    return (int32_t)(__atomic_load_n(&sum->skipped, __ATOMIC_RELAXED) - sum->region) >= 0;
}

void skerry_omp_add_others(struct omp_sum *sum, const struct omp_team *team, uint32_t taken);
void skerry_omp_add_other(struct omp_sum *sum, uint32_t i, uint32_t *other);
void skerry_omp_report_own(struct omp_sum *sum, const struct omp_team *team);
void skerry_omp_skip_sums(struct omp_sum *sum, const struct omp_team *team);

// Sends a thread that waits at a barrier after a reduction to the usual barrier.
SKERRY_ALWAYS_INLINE void omp_release_to_barrier(const struct omp_team *team, uint32_t thread) {
    __atomic_store_n(&omp_member(team, thread)->near.sum.reductions->release, OMP_RELEASE_BARRIER, __ATOMIC_RELAXED);
}

// Performs the operations of a partial result on the variables. `word` and `kinds` are the words of struct omp_addition.
void skerry_omp_reduce(uint32_t *word, uint32_t kinds, const struct omp_partial *partial);

#endif

#endif
