// SPDX-License-Identifier: BSD-3-Clause
// One PE ends while the other still expects it.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_finalize: among 2 PEs from PE 0 in steps of 1: all must call the same routine. PE 0 calls shmem_sync_all
#include <shmem.h>

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) shmem_sync_all();
    shmem_finalize();
    return 0;
}
