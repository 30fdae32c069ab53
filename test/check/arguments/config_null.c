// SPDX-License-Identifier: BSD-3-Clause
// A mask says that a configuration counts, and there is none.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_team_split_strided: config: must not be NULL unless its mask is 0
#include <shmem.h>

static shmem_team_t team;

int main(void) {
    shmem_init();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, SHMEM_TEAM_NUM_CONTEXTS, &team);
    shmem_finalize();
    return 0;
}
