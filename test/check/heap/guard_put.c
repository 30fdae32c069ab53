// SPDX-License-Identifier: BSD-3-Clause
// A put whose routine is inlined, and so not checked, reaches past a block of another PE, which says so.
// pes: 2
// env: SKERRY_CHECK=1
// expect-exit: 1
// expect-stderr: ^skerry: PE 1: shmem_barrier_all: the block of 100 bytes at 0x[0-9a-f]+: something wrote past its end, by 12 bytes
#include <shmem.h>

static char bytes[112] = "something";

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100);
    if (shmem_my_pe() == 0) shmem_putmem(block, bytes, sizeof bytes, 1);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
