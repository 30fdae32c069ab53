// SPDX-License-Identifier: BSD-3-Clause
// A block is freed twice.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_free: ptr 0x[0-9a-f]+ was freed before, or never allocated
#include <shmem.h>

int main(void) {
    shmem_init();
    void *block = shmem_malloc(100);
    shmem_free(block);
    shmem_free(block);
    shmem_finalize();
    return 0;
}
