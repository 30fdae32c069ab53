// SPDX-License-Identifier: BSD-3-Clause
// A get from memory of malloc.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_getmem: source 0x[0-9a-f]+: is not symmetric
#include <shmem.h>

#include <stdlib.h>

int main(void) {
    shmem_init();
    char copy[8];
    char *memory = malloc(8);
    shmem_getmem(copy, memory, 8, 1);
    shmem_finalize();
    return 0;
}
