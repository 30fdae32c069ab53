// SPDX-License-Identifier: BSD-3-Clause
// The program of a project outside Skerry's tree: the PEs count themselves.
#include <shmem.h>
#include <stdio.h>

static long mine = 1, before; // symmetric

int main(void) {
    shmem_init();
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, &before, &mine, 1);
    printf("PE %d is number %ld of %d\n", shmem_my_pe(), before, shmem_n_pes());
    const int right = before == shmem_my_pe() + 1;
    shmem_finalize();
    return right ? 0 : 1;
}
