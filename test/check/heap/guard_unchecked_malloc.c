// SPDX-License-Identifier: BSD-3-Clause
// Without checks: a block that was written past its end, over the heap's metadata, is named by the next allocation, which does
// not return NULL without a word.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_malloc: the block of up to 104 bytes at 0x[0-9a-f]+: something wrote past its end, over the heap's metadata
#include <shmem.h>

#include <string.h>

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100);
    memset(block, 7, 112);
    shmem_free(shmem_malloc(100));
    shmem_finalize();
    return 0;
}
