// SPDX-License-Identifier: BSD-3-Clause
// The terminating zero of a string stands behind its block; the next allocation says so.
// pes: 2
// env: SKERRY_CHECK=1
// expect-exit: 1
// expect-stderr: ^skerry: PE 1: shmem_malloc: the block of 100 bytes at 0x[0-9a-f]+: something wrote past its end, by 1 byte$
#include <shmem.h>

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100);
    if (shmem_my_pe() == 1) block[100] = 0;
    shmem_free(shmem_malloc(8));
    shmem_finalize();
    return 0;
}
