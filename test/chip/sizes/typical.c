// SPDX-License-Identifier: BSD-3-Clause
// What scripts/chip-sizes measures beside hello: a program that uses put, barrier, reduce and atomics.
#include <shmem.h>

static long arrived, counter, sum;

int main(void) {
    shmem_init();
    long mine = shmem_my_pe();
    int pes = shmem_n_pes();
    shmem_long_put(&arrived, &mine, 1, mine + 1 < pes ? (int)mine + 1 : 0);
    shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &arrived, 1);
    shmem_long_atomic_add(&counter, sum, 0);
    shmem_barrier_all();
    long wanted = 0;
    for (int pe = 0; pe < pes; pe++) wanted += sum;
    int wrong = mine == 0 && counter != wanted;
    shmem_finalize();
    return wrong;
}
