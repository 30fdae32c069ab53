// SPDX-License-Identifier: BSD-3-Clause
// A collective on SHMEM_TEAM_INVALID.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_team_sync: team: must not be SHMEM_TEAM_INVALID
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_sync(SHMEM_TEAM_INVALID);
    shmem_finalize();
    return 0;
}
