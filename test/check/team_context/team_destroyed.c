// SPDX-License-Identifier: BSD-3-Clause
// A collective on a team that was destroyed.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_team_sync: team: must not be used after it was destroyed
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
    shmem_team_destroy(team);
    shmem_team_sync(team);
    shmem_finalize();
    return 0;
}
