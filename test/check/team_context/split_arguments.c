// SPDX-License-Identifier: BSD-3-Clause
// Members split a team differently.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_team_split_strided: size 2: must be the same on all members. PE 0 has 1
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1 + shmem_my_pe(), NULL, 0, &team);
    shmem_finalize();
    return 0;
}
