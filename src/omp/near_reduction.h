// SPDX-License-Identifier: BSD-3-Clause
// Defines what the reductions at the end of a region (near_reduction.c) and before a barrier (near_reduce_barrier.c) share: the
// kinds of operations, and how a thread sends its partial result to the thread above it.
#ifndef SKERRY_OMP_NEAR_REDUCTION_H
#define SKERRY_OMP_NEAR_REDUCTION_H

#include "near_sum.h"

#if OMP_HAS_SUMS

// Kinds of operations, one byte for each variable, the first one in the lowest byte. The scripts of src/machine/sarc/assembler
// have these numbers too.
enum {
    KIND_ADD = 1,
    KIND_MULTIPLY,
    KIND_AND,
    KIND_OR,
    KIND_XOR,
    KIND_MAX,
    KIND_MIN,
    KIND_MAX_UNSIGNED,
    KIND_MIN_UNSIGNED,
    KIND_FLOAT = 16, // from here on float: add, multiply, maximum, minimum
    KIND_ADD_FLOAT = KIND_FLOAT,
    KIND_MULTIPLY_FLOAT,
    KIND_MAX_FLOAT,
    KIND_MIN_FLOAT,
    KIND_DOUBLE = 32, // and double
    KIND_ADD_DOUBLE = KIND_DOUBLE,
    KIND_MULTIPLY_DOUBLE,
    KIND_MAX_DOUBLE,
    KIND_MIN_DOUBLE,
    KIND_BY_SWAP = 64 // added: other threads change the variable, of 4 bytes, by compare-swap and not in a section
};
#define KIND_OPERATION (KIND_BY_SWAP - 1)

// Returns the struct that contains `sum`.
SKERRY_ALWAYS_INLINE const struct omp_near *omp_near_of(const struct omp_sum *sum) {
    return (const struct omp_near *)(const void *)((const char *)sum - offsetof(struct omp_near, sum));
}

// Returns how often a thread polls for the partial result of another thread.
uint32_t skerry_omp_reduction_polls(uint32_t kinds, uint32_t threads);

// Returns true if the thread has a reason not to wait: there are tasks to run, or a result of another thread did not come.
SKERRY_ALWAYS_INLINE bool omp_is_hurried(const struct omp_near *near) {
    return __atomic_load_n(&near->tasks_made, __ATOMIC_RELAXED) || omp_sum_is_skipped(&near->sum);
}

// Takes the partial results of the threads below, and combines them with the thread's own. If they do not all arrive in time,
// performs the operations of those that have arrived and of the thread's own, and returns false.
bool skerry_omp_take_partials(struct omp_sum *sum, const struct omp_team *team);

// Performs the operations of all threads of the team, which the master has taken.
void skerry_omp_perform_all(struct omp_sum *sum, const struct omp_team *team);

// Returns the number of the first thread that a thread releases (OMP_RELEASES).
SKERRY_ALWAYS_INLINE uint32_t omp_first_release(uint32_t thread) {
    return thread == 0 ? 1 : OMP_RELEASES_OF_MASTER + 1 + OMP_RELEASES * (thread - 1);
}

// Returns the number of threads that a thread releases in a team of this size.
SKERRY_ALWAYS_INLINE uint32_t omp_releases(uint32_t threads, uint32_t thread) {
    const uint32_t first = omp_first_release(thread), most = thread == 0 ? OMP_RELEASES_OF_MASTER : OMP_RELEASES;
    return first >= threads ? 0 : first + most > threads ? threads - first : most;
}

// Called when the team's structs omp_reductions have been made. NULL if the program has no reductions before barriers.
#pragma weak skerry_omp_place_releases
void skerry_omp_place_releases(struct omp_team *team);

// Stores a floating-point register as it is, which can also contain a float. `volatile` keeps the compiler from a store of two
// words, which takes longer.
SKERRY_ALWAYS_INLINE void omp_store_register(volatile double *to, double value) {
    *to = value;
}

// Sends the thread's partial result to the thread above. The caller has completed the thread's stores.
SKERRY_ALWAYS_INLINE void omp_send_partial(struct omp_sum *sum) {
    struct omp_partial *const to = sum->reductions->to;
    const uint32_t kinds = sum->value;
    const skerry_pair addition = skerry_pair_make((uint32_t)(uintptr_t)sum->word, kinds);
    omp_store_register(&to->values[0].d, sum->reductions->own.values[0].d);
    if (OMP_UNLIKELY(kinds > 0xff)) {
        to->words[0] = sum->reductions->own.words[0];
        omp_store_register(&to->values[1].d, sum->reductions->own.values[1].d);
        if (kinds > 0xffff) {
            to->words[1] = sum->reductions->own.words[1];
            omp_store_register(&to->values[2].d, sum->reductions->own.values[2].d);
        }
    }
    skerry_compiler_fence();
    skerry_store_pair((uint32_t *)(void *)sum->to, addition, 0);
}

SKERRY_ALWAYS_INLINE void omp_set_value(union omp_partial_value *value, uint32_t kind, uint32_t u, double d) {
    if (OMP_LIKELY((kind & KIND_OPERATION) >= KIND_FLOAT)) omp_store_register(&value->d, d);
    else value->u = u;
}

// Stores the arguments of skerry_omp_reduce_last as the thread's own partial result. Returns the word that announces it.
SKERRY_ALWAYS_INLINE uint32_t *omp_set_partial(struct omp_sum *sum, uint32_t kinds, uint32_t *word, uint32_t *word_1,
                                               uint32_t *word_2, uint32_t u_0, uint32_t u_1, uint32_t u_2, double d_0,
                                               double d_1, double d_2) {
    uint32_t *const marked = (uint32_t *)((uint32_t)word | OMP_ADDITION_IS_PARTIAL);
    sum->word = marked;
    sum->value = kinds;
    omp_set_value(&sum->reductions->own.values[0], kinds & 0xff, u_0, d_0);
    if (OMP_UNLIKELY(kinds > 0xff)) {
        sum->reductions->own.words[0] = word_1;
        omp_set_value(&sum->reductions->own.values[1], kinds >> 8 & 0xff, u_1, d_1);
        if (kinds > 0xffff) {
            sum->reductions->own.words[1] = word_2;
            omp_set_value(&sum->reductions->own.values[2], kinds >> 16, u_2, d_2);
        }
    }
    return marked;
}

#endif

#endif
