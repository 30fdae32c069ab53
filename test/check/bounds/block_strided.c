// SPDX-License-Identifier: BSD-3-Clause
// The last block of a block-strided get lies outside.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_int_ibget: source 0x[0-9a-f]+: 76 bytes from byte 0 on reach past the end of the block of 72 bytes
#include <shmem.h>

static int buffer[9];

int main(void) {
    shmem_init();
    int *block = shmem_malloc(18 * sizeof(int));
    shmem_int_ibget(buffer, block, 3, 8, 3, 3, 1);
    shmem_finalize();
    return 0;
}
