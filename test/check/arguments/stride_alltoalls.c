// SPDX-License-Identifier: BSD-3-Clause
// An all-to-all with stride 0.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_alltoalls: sst 0: must be at least 1
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, words, values, 1, 0, 1);
    shmem_finalize();
    return 0;
}
