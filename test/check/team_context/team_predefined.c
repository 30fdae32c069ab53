// SPDX-License-Identifier: BSD-3-Clause
// Predefined teams cannot be destroyed.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_team_destroy: a predefined team
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_destroy(SHMEM_TEAM_WORLD);
    shmem_finalize();
    return 0;
}
