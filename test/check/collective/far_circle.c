// SPDX-License-Identifier: BSD-3-Clause
// Four PEs of several nodes wait for one another in four active sets. No two PEs of the circle that are on one node wait for
// each other.
// pes: 4
// ways: 4:4:tcp
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_sync: among 2 PEs from PE [012] in steps of [12]: PE [0-3] never arrives, because it waits for PE [0-3] in shmem_sync
#include <shmem.h>

static long work[4][SHMEM_SYNC_SIZE];

int main(void) {
    shmem_init();
    switch (shmem_my_pe()) {
    case 0: shmem_sync(0, 1, 2, work[0]); break; // waits for PE 2
    case 1: shmem_sync(0, 0, 2, work[1]); break; // for PE 0
    case 2: shmem_sync(2, 0, 2, work[2]); break; // for PE 3
    default: shmem_sync(1, 1, 2, work[3]);       // for PE 1
    }
    shmem_finalize();
    return 0;
}
