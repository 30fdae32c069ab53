// SPDX-License-Identifier: BSD-3-Clause
// A work array that was never set to SHMEM_SYNC_VALUE.
// pes: 3
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_barrier: pSync 0x[0-9a-f]+: element 3 is 5, and must be SHMEM_SYNC_VALUE
#include <shmem.h>

static long work[SHMEM_SYNC_SIZE];

int main(void) {
    shmem_init();
    work[3] = 5;
    if (shmem_my_pe() < 2) shmem_barrier(0, 0, 2, work);
    shmem_finalize();
    return 0;
}
