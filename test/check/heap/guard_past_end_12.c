// SPDX-License-Identifier: BSD-3-Clause
// Three integers too many; the next barrier says so.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_barrier_all: the block of 100 bytes at 0x[0-9a-f]+: something wrote past its end, by 12 bytes
#include <shmem.h>

int main(void) {
    shmem_init();
    int *block = shmem_malloc(25 * sizeof(int));
    for (int i = 0; i < 28; i++) block[i] = i;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
