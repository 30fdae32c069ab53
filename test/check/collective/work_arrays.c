// SPDX-License-Identifier: BSD-3-Clause
// Members bring different work arrays.
// pes: 3
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_barrier: pSync 0x[0-9a-f]+: must be the same symmetric object on all members. PE 0 passes
#include <shmem.h>

static long work[2][SHMEM_SYNC_SIZE];

int main(void) {
    shmem_init();
    if (shmem_my_pe() < 2) shmem_barrier(0, 0, 2, work[shmem_my_pe()]);
    shmem_finalize();
    return 0;
}
