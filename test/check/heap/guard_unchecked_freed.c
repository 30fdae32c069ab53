// SPDX-License-Identifier: BSD-3-Clause
// Without checks: a write to a freed block, over the heap's links, is told by the next allocation.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_malloc: the heap's metadata before 0x[0-9a-f]+ was overwritten: something wrote before the start of a block
#include <shmem.h>

#include <string.h>

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100), *next = shmem_malloc(100);
    shmem_free(block);
    memset(block, 7, 12);
    shmem_free(shmem_malloc(100));
    shmem_free(next);
    shmem_finalize();
    return 0;
}
