// SPDX-License-Identifier: BSD-3-Clause
// Reductions of different types.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_sum_reduce: among .* PE 0 calls shmem_double_sum_reduce
#include <shmem.h>

static long words[4];
static double reals[4];

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) shmem_double_sum_reduce(SHMEM_TEAM_WORLD, reals, reals, 4);
    else shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words, words, 4);
    shmem_finalize();
    return 0;
}
