// SPDX-License-Identifier: BSD-3-Clause
// A put from a block that was freed.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem: source 0x[0-9a-f]+: is in no block of the symmetric heap
#include <shmem.h>

static char bytes[12];

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100);
    shmem_free(block);
    shmem_putmem(bytes, block, 12, 1);
    shmem_finalize();
    return 0;
}
