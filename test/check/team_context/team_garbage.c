// SPDX-License-Identifier: BSD-3-Clause
// A collective on a team that nobody made.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_team_sync: team 0x77: must be a predefined team, or one that a team split made
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_sync((shmem_team_t)0x77);
    shmem_finalize();
    return 0;
}
