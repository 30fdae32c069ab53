// SPDX-License-Identifier: BSD-3-Clause
// The members of a collect give more than the destination holds.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_int_collect: dest 0x[0-9a-f]+: 12 bytes from byte 0 on reach past the end of the block of 8 bytes
#include <shmem.h>

static int mine[2];

int main(void) {
    shmem_init();
    int *all = shmem_malloc(2 * sizeof(int));
    shmem_int_collect(SHMEM_TEAM_WORLD, all, mine, (size_t)shmem_my_pe() + 1);
    shmem_finalize();
    return 0;
}
