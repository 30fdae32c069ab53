// SPDX-License-Identifier: BSD-3-Clause
// PEs name different active sets.
// pes: 3
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_barrier: among [23] PEs from PE 0 in steps of 1: PE [012] never arrives, because it waits for PE [012] in shmem_barrier among [23] PEs
#include <shmem.h>

static long work[SHMEM_SYNC_SIZE];

int main(void) {
    shmem_init();
    shmem_barrier(0, 0, shmem_my_pe() == 0 ? 2 : 3, work);
    shmem_finalize();
    return 0;
}
