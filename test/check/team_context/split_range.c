// SPDX-License-Identifier: BSD-3-Clause
// Members split a team into rows of different lengths.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_team_split_2d: xrange 2: must be the same on all members. PE 0 has 1
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_t rows, columns;
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 1 + shmem_my_pe(), NULL, 0, &rows, NULL, 0, &columns);
    shmem_finalize();
    return 0;
}
