// SPDX-License-Identifier: BSD-3-Clause
// A token runs round the ring of PEs in a word of each type in turn: wait_until, and test in a loop, see the neighbour's
// write; so do the deprecated shmem_wait and shmem_wait_until.
// ways: 4:2:remote
#include "test.h"

#include <skerry/shmem/types.h>

#define LAPS 5

// PE 0 sends first and receives last. SEND writes lap + 1 to the right neighbour, RECEIVE waits for it here.
#define LAP(SEND, RECEIVE)                                                                                             \
    for (int lap = 0; lap < LAPS; lap++) {                                                                             \
        if (me == 0) {                                                                                                 \
            SEND;                                                                                                      \
            RECEIVE;                                                                                                   \
        } else {                                                                                                       \
            RECEIVE;                                                                                                   \
            SEND;                                                                                                      \
        }                                                                                                              \
    }

#define TRY(NAME, TYPE)                                                                                                \
    static TYPE word_##NAME, tested_##NAME;                                                                            \
    static void try_##NAME(void) {                                                                                     \
        LAP(shmem_##NAME##_p(&word_##NAME, (TYPE)(lap + 1), right_of(me)),                                             \
            shmem_##NAME##_wait_until(&word_##NAME, SHMEM_CMP_EQ, (TYPE)(lap + 1)))                                    \
        LAP(shmem_##NAME##_p(&tested_##NAME, (TYPE)(lap + 1), right_of(me)),                                           \
            while (!shmem_##NAME##_test(&tested_##NAME, SHMEM_CMP_EQ, (TYPE)(lap + 1))) continue)                      \
        REQUIRE(word_##NAME == LAPS && tested_##NAME == LAPS, #NAME " token is lost");                                 \
    }
SKERRY_FAMILY(WAIT, TRY)

// Deprecated: wait until the word is not the value any more.
#define TRY_OLD(NAME, TYPE)                                                                                            \
    static TYPE old_##NAME;                                                                                            \
    static void try_old_##NAME(void) {                                                                                 \
        LAP(shmem_##NAME##_p(&old_##NAME, (TYPE)(lap + 1), right_of(me)), shmem_##NAME##_wait(&old_##NAME, (TYPE)lap)) \
        REQUIRE(old_##NAME == LAPS, "shmem_" #NAME "_wait returned too early");                                        \
    }
SKERRY_FAMILY(OLD_INTEGER, TRY_OLD)

static long untyped, until;

static void try_untyped(void) {
    LAP(shmem_long_p(&untyped, lap + 1, right_of(me)), shmem_wait(&untyped, lap))
    REQUIRE(untyped == LAPS, "shmem_wait returned too early");
    LAP(shmem_long_p(&until, lap + 1, right_of(me)), (shmem_wait_until)(&until, SHMEM_CMP_GT, (long)lap))
    REQUIRE(until == LAPS, "shmem_wait_until returned too early");
}

#define CALL(NAME, TYPE) try_##NAME();
#define CALL_OLD(NAME, TYPE) try_old_##NAME();

int main(void) {
    test_begin();
    SKERRY_FAMILY(WAIT, CALL)
    SKERRY_FAMILY(OLD_INTEGER, CALL_OLD)
    try_untyped();
    shmem_barrier_all();
    return test_end();
}
