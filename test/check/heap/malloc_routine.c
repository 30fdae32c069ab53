// SPDX-License-Identifier: BSD-3-Clause
// One PE allocates, the other one frees.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_free: among 2 PEs .* all must call the same routine. PE 0 calls shmem_malloc
#include <shmem.h>

int main(void) {
    shmem_init();
    void *block = shmem_malloc(100);
    if (shmem_my_pe() == 0) shmem_malloc(100);
    else shmem_free(block);
    shmem_finalize();
    return 0;
}
