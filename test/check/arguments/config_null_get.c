// SPDX-License-Identifier: BSD-3-Clause
// A team's configuration has nowhere to be stored.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_team_get_config: config: must not be NULL
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, NULL);
    shmem_finalize();
    return 0;
}
