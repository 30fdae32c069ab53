// SPDX-License-Identifier: BSD-3-Clause
// The same, where the next block is freed.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_free: the block of up to 104 bytes at 0x[0-9a-f]+: something wrote past its end, over the heap's metadata
#include <shmem.h>

#include <string.h>

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100), *next = shmem_malloc(100);
    memset(block, 7, 106);
    shmem_free(next);
    shmem_finalize();
    return 0;
}
