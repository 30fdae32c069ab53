// SPDX-License-Identifier: BSD-3-Clause
// A barrier meets a reduction.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_sum_reduce: among 2 PEs from PE 0 in steps of 1: all must call the same routine. PE 0 calls shmem_barrier_all
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) shmem_barrier_all();
    else shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words, values, 4);
    shmem_finalize();
    return 0;
}
