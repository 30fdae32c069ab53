// SPDX-License-Identifier: BSD-3-Clause
// A fill that goes over everything that stands behind a block.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_free: the block of up to [0-9]+ bytes at 0x[0-9a-f]+: something wrote past its end, by more than 16 bytes
#include <shmem.h>

#include <string.h>

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100);
    char *next = shmem_malloc(100);
    memset(block, 7, 400);
    shmem_free(next);
    shmem_finalize();
    return 0;
}
