// SPDX-License-Identifier: BSD-3-Clause
// An index of -7 leaves the heap's word alone, and the first guard bytes behind the block in front.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_barrier_all: the block of .*100 bytes at 0x[0-9a-f]+: something wrote past its end, by .*, or in front of the block at 0x[0-9a-f]+
#include <shmem.h>

int main(void) {
    shmem_init();
    int *front = shmem_malloc(100), *block = shmem_malloc(100);
    block[-7] = front != block;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
