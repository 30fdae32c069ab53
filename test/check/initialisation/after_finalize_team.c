// SPDX-License-Identifier: BSD-3-Clause
// A collective on a team after shmem_finalize.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_team_sync: called after shmem_finalize
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_finalize();
    shmem_team_sync(SHMEM_TEAM_WORLD);
    return 0;
}
