// SPDX-License-Identifier: BSD-3-Clause
// A block is freed after shmem_finalize.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_free: called after shmem_finalize
#include <shmem.h>

int main(void) {
    shmem_init();
    void *block = shmem_malloc(100);
    shmem_finalize();
    shmem_free(block);
    return 0;
}
