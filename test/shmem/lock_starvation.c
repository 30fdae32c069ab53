// SPDX-License-Identifier: BSD-3-Clause
// A PE that asks for a lock gets it, although all other PEs set and clear the lock without a pause. On several nodes the
// last PE is far from the lock's home, so its operations on the lock take longer than those of the others.
// ways: 3:2:tcp 8:2:tcp 12:4:all
#include "test.h"

static long lock, stop, turns;

int main(void) {
    test_begin();
    const int times = pes > 8 ? 5 : 20;
    if (me == pes - 1) {
        for (int i = 0; i < times; i++) {
            shmem_set_lock(&lock);
            shmem_long_p(&turns, shmem_long_g(&turns, 0) + 1, 0);
            shmem_clear_lock(&lock);
        }
        for (int pe = 0; pe < pes; pe++) shmem_long_p(&stop, 1, pe);
        shmem_quiet();
    }
    long own = me == pes - 1 ? times : 0;
    while (!shmem_long_test(&stop, SHMEM_CMP_NE, 0)) {
        shmem_set_lock(&lock);
        shmem_long_p(&turns, shmem_long_g(&turns, 0) + 1, 0);
        shmem_clear_lock(&lock);
        own++;
    }
    static long mine, all;
    mine = own;
    shmem_barrier_all();
    REQUIRE(!shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1), "sum failed");
    REQUIRE(shmem_long_g(&turns, 0) == all, "%ld turns were counted, not %ld", shmem_long_g(&turns, 0), all);
    return test_end();
}
