// SPDX-License-Identifier: BSD-3-Clause
// Indices from -3 on: over the heap's word and the guard of the block in front, which may as well have been overrun.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_barrier_all: the block of up to 1[0-9]+ bytes at 0x[0-9a-f]+: something wrote past its end, by more than 16 bytes, or in front of the block at 0x[0-9a-f]+
#include <shmem.h>

int main(void) {
    shmem_init();
    int *front = shmem_malloc(100), *block = shmem_malloc(100);
    for (int i = -3; i < 0; i++) block[i] = front != block;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
