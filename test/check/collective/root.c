// SPDX-License-Identifier: BSD-3-Clause
// A broadcast from different roots.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_broadcast: PE_root 1: must be the same on all members. PE 0 has 0
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, words, values, 4, shmem_my_pe());
    shmem_finalize();
    return 0;
}
