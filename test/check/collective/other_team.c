// SPDX-License-Identifier: BSD-3-Clause
// Each PE waits in a collective of another team for the other one.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_[a-z_]+: among 2 PEs from PE 0 in steps of 1: PE [01] never arrives, because it waits for PE [01] in shmem_[a-z_]+ among 2 PEs
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
    if (shmem_my_pe() == 0) shmem_team_sync(team);
    else shmem_barrier_all();
    shmem_finalize();
    return 0;
}
