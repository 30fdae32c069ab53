// SPDX-License-Identifier: BSD-3-Clause
// The last element of a strided put lies outside the block.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_iput: dest 0x[0-9a-f]+: 152 bytes from byte 0 on reach past the end of the block of 144 bytes
#include <shmem.h>

static long buffer[10];

int main(void) {
    shmem_init();
    long *block = shmem_malloc(18 * sizeof(long));
    shmem_long_iput(block, buffer, 2, 1, 10, 1);
    shmem_finalize();
    return 0;
}
