// SPDX-License-Identifier: BSD-3-Clause
// A split has nowhere to store the new team.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_team_split_strided: new_team: must not be NULL
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, NULL);
    shmem_finalize();
    return 0;
}
