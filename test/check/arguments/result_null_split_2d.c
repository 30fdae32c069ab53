// SPDX-License-Identifier: BSD-3-Clause
// A split has nowhere to store the team of its column.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_team_split_2d: yaxis_team: must not be NULL
#include <shmem.h>

static shmem_team_t row;

int main(void) {
    shmem_init();
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, &row, NULL, 0, NULL);
    shmem_finalize();
    return 0;
}
