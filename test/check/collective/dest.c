// SPDX-License-Identifier: BSD-3-Clause
// Members name different destinations.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_fcollect: dest 0x[0-9a-f]+: must be the same symmetric object on all members. PE 0 passes the object that is at 0x
#include <shmem.h>

static long words[2][4], values[4];

int main(void) {
    shmem_init();
    shmem_long_fcollect(SHMEM_TEAM_WORLD, words[shmem_my_pe()], values, 2);
    shmem_finalize();
    return 0;
}
