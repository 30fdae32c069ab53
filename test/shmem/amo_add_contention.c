// SPDX-License-Identifier: BSD-3-Clause
// All PEs add to the same words at once: no addition is lost, for every type and every adding operation; and fetch_inc
// hands out each number exactly once.
#include "test.h"

#include <skerry/shmem/types.h>

#define ROUNDS 600
#define TICKETS TEST_SIZE(2000, 200) // of each of 16 PEs

#define DECLARE(NAME, TYPE) static TYPE sum_##NAME;
SKERRY_FAMILY(STANDARD_ATOMIC, DECLARE)

static long ticket;
static int taken[16 * TICKETS];

#define ADD(NAME, TYPE)                                                                                                \
    {                                                                                                                  \
        TYPE fetched;                                                                                                  \
        shmem_##NAME##_atomic_add(&sum_##NAME, 3, 0);                                                                  \
        shmem_##NAME##_atomic_inc(&sum_##NAME, 0);                                                                     \
        (void)shmem_##NAME##_atomic_fetch_add(&sum_##NAME, 5, 0);                                                      \
        (void)shmem_##NAME##_atomic_fetch_inc(&sum_##NAME, 0);                                                         \
        shmem_##NAME##_atomic_fetch_add_nbi(&fetched, &sum_##NAME, 7, 0);                                              \
        shmem_##NAME##_atomic_fetch_inc_nbi(&fetched, &sum_##NAME, 0);                                                 \
        shmem_quiet();                                                                                                 \
    }

#define LOOK(NAME, TYPE) REQUIRE(sum_##NAME == (TYPE)(18 * ROUNDS) * (TYPE)pes, "additions to a " #NAME " were lost");

static void take_tickets(void) {
    int each = TICKETS * 16 / (pes > 16 ? pes : 16);
    long last = -1;
    for (int i = 0; i < each; i++) {
        long mine = shmem_long_atomic_fetch_inc(&ticket, 0);
        REQUIRE(mine > last && mine < (long)each * pes, "ticket %ld after %ld", mine, last);
        last = mine;
        REQUIRE(shmem_int_atomic_swap(&taken[mine], me + 1, 0) == 0, "ticket %ld was given to two PEs", mine);
    }
    shmem_barrier_all();
    for (long i = 0; i < (long)each * pes && me == 0; i++) REQUIRE(taken[i], "ticket %ld was given to nobody", i);
}

int main(void) {
    test_begin();
    shmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++) {
        SKERRY_FAMILY(STANDARD_ATOMIC, ADD)
    }
    shmem_barrier_all();
    if (me == 0) {
        SKERRY_FAMILY(STANDARD_ATOMIC, LOOK)
    }
    take_tickets();
    return test_end();
}
