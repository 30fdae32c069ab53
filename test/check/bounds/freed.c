// SPDX-License-Identifier: BSD-3-Clause
// A put into a block that was freed.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_p: dest 0x[0-9a-f]+: is in no block of the symmetric heap
#include <shmem.h>

int main(void) {
    shmem_init();
    long *block = shmem_malloc(100);
    shmem_free(block);
    shmem_long_p(block, 1, 1);
    shmem_finalize();
    return 0;
}
