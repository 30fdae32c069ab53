// SPDX-License-Identifier: BSD-3-Clause
// A block that shmem_realloc made smaller has its new end.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: shmem_realloc: the block of 90 bytes at 0x[0-9a-f]+: something wrote past its end, by 3 bytes
#include <shmem.h>

int main(void) {
    shmem_init();
    char *block = shmem_realloc(shmem_malloc(1000), 90);
    block[92] = 1;
    block = shmem_realloc(block, 200);
    shmem_finalize();
    return 0;
}
