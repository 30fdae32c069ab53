// SPDX-License-Identifier: BSD-3-Clause
// swap under contention neither copies nor loses a value: every token that goes into a word comes out exactly once, or is
// the one left in it. For every type that can be swapped, by the non-blocking form too.
#include "test.h"

#include <skerry/shmem/types.h>

#define ROUNDS 400 // tokens stay exact in a float

static double sums[4], totals[4];

static void note(double token, int column) {
    sums[column] += token;
    sums[column + 1] += token * token;
}

#define TRY(NAME, TYPE)                                                                                                \
    static TYPE word_##NAME;                                                                                           \
    static void try_##NAME(void) {                                                                                     \
        for (int i = 0; i < 4; i++) sums[i] = 0;                                                                       \
        for (int i = 0; i < ROUNDS; i++) {                                                                             \
            TYPE token = (TYPE)(1 + me * ROUNDS + i), got = 0;                                                         \
            if (i % 2) got = shmem_##NAME##_atomic_swap(&word_##NAME, token, 0);                                       \
            else shmem_##NAME##_atomic_swap_nbi(&got, &word_##NAME, token, 0);                                         \
            shmem_quiet();                                                                                             \
            note((double)token, 0);                                                                                    \
            note((double)got, 2);                                                                                      \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
        if (me == 0) note((double)shmem_##NAME##_atomic_fetch(&word_##NAME, 0), 2);                                    \
        shmem_double_sum_reduce(SHMEM_TEAM_WORLD, totals, sums, 4);                                                    \
        REQUIRE(totals[0] == totals[2] && totals[1] == totals[3],                                                      \
                "shmem_" #NAME "_atomic_swap: tokens of sum %.0f (squares %.0f) went in, %.0f (%.0f) came out",        \
                totals[0], totals[1], totals[2], totals[3]);                                                           \
    }
SKERRY_FAMILY(EXTENDED_ATOMIC, TRY)

#define CALL(NAME, TYPE) try_##NAME();

int main(void) {
    test_begin();
    shmem_barrier_all();
    SKERRY_FAMILY(EXTENDED_ATOMIC, CALL)
    return test_end();
}
