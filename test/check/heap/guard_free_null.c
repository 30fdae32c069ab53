// SPDX-License-Identifier: BSD-3-Clause
// A heap routine that does nothing looks at the blocks all the same: this PE's own calls, which no other PE makes.
// pes: 2
// env: SKERRY_CHECK=1
// expect-exit: 1
// expect-stderr: ^skerry: PE 1: shmem_free: the block of 100 bytes at 0x[0-9a-f]+: something wrote past its end, by 4 bytes$
#include <shmem.h>
#include <string.h>

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100);
    shmem_free(NULL);
    if (shmem_my_pe() == 1) {
        memset(block + 100, 0, 4);
        shmem_free(NULL);
    }
    shmem_finalize();
    return 0;
}
