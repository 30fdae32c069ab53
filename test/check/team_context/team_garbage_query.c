// SPDX-License-Identifier: BSD-3-Clause
// A rank is asked for in a team that nobody made: an address inside a real one.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_team_my_pe: team 0x[0-9a-f]+: must be a predefined team, or one that a team split made
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
    shmem_team_my_pe((shmem_team_t)((uintptr_t)team + 8));
    shmem_finalize();
    return 0;
}
