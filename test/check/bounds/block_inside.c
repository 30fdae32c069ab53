// SPDX-License-Identifier: BSD-3-Clause
// A get that starts inside its block and ends in the next one.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_get: source 0x[0-9a-f]+: 40 bytes from byte 48 on reach past the end of the block of 80 bytes
#include <shmem.h>

static long buffer[10];

int main(void) {
    shmem_init();
    long *block = shmem_malloc(80);
    shmem_malloc(80);
    shmem_long_get(buffer, block + 6, 5, 1);
    shmem_finalize();
    return 0;
}
