// SPDX-License-Identifier: BSD-3-Clause
// A user's program: each PE hands its number to the next one and adds up all of them.
#include <shmem.h>
#include <stdio.h>

static long from_left = -1, mine, sum;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int pes = shmem_n_pes();
    long *copy = shmem_malloc(sizeof *copy);
    mine = me;
    shmem_p(&from_left, me, (me + 1) % pes);
    shmem_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    shmem_put(copy, &mine, 1, me);
    shmem_barrier_all();
    int right = from_left == (me + pes - 1) % pes && sum == (long)pes * (pes - 1) / 2 && *copy == me;
    if (right && me == 0) printf("ring of %d: right\n", pes);
    shmem_free(copy);
    shmem_finalize();
    return right ? 0 : 1;
}
