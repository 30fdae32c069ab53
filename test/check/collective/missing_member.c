// SPDX-License-Identifier: BSD-3-Clause
// PE 1 leaves a team collective out and goes on to the next barrier.
// pes: 3
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_[a-z_]+: among [23] PEs from PE 0 in steps of 1: PE [012] never arrives, because it waits for PE [012] in
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
    if (shmem_my_pe() == 0) shmem_long_broadcast(team, words, values, 4, 0);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
