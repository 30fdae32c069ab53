// SPDX-License-Identifier: BSD-3-Clause
// A broadcast of different lengths.
// pes: 3
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_broadcast: nelems [34]: must be the same on all members. PE 0 has 3
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, words, values, shmem_my_pe() == 2 ? 4 : 3, 0);
    shmem_finalize();
    return 0;
}
