// SPDX-License-Identifier: BSD-3-Clause
// An index of -1.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_team_sync: the block at 0x[0-9a-f]+: something wrote before its start, over the heap's metadata
#include <shmem.h>

int main(void) {
    shmem_init();
    int *front = shmem_malloc(100), *block = shmem_malloc(100);
    block[-1] = front != block;
    shmem_team_sync(SHMEM_TEAM_WORLD);
    shmem_finalize();
    return 0;
}
