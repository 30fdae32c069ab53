// SPDX-License-Identifier: BSD-3-Clause
// The destination of an all-to-all has room for one block only.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_int_alltoall: dest 0x[0-9a-f]+: 32 bytes from byte 0 on reach past
#include <shmem.h>

static int mine[8];

int main(void) {
    shmem_init();
    int *all = shmem_malloc(4 * sizeof(int));
    shmem_int_alltoall(SHMEM_TEAM_WORLD, all, mine, 4);
    shmem_finalize();
    return 0;
}
