// SPDX-License-Identifier: BSD-3-Clause
// Three PEs wait for one another in three active sets.
// pes: 3
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_sync: among 2 PEs from PE [012] in steps of [12]: PE [012] never arrives, because it waits for PE [012] in shmem_sync
#include <shmem.h>

static long work[3][SHMEM_SYNC_SIZE];

int main(void) {
    shmem_init();
    switch (shmem_my_pe()) {
    case 0: shmem_sync(0, 0, 2, work[0]); break;
    case 1: shmem_sync(1, 0, 2, work[1]); break;
    default: shmem_sync(0, 1, 2, work[2]);
    }
    shmem_finalize();
    return 0;
}
