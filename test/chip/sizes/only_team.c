// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_t even;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (shmem_n_pes() + 1) / 2, NULL, 0, &even);
    if (even != SHMEM_TEAM_INVALID) shmem_team_sync(even);
    shmem_team_destroy(even);
    shmem_finalize();
    return 0;
}
