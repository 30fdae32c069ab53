// SPDX-License-Identifier: BSD-3-Clause
// A strided put whose source's last element lies behind its block.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_iput: source 0x[0-9a-f]+: 88 bytes .* the block of 80 bytes
#include <shmem.h>

static long words[12];

int main(void) {
    shmem_init();
    long *block = shmem_malloc(10 * sizeof *block);
    shmem_long_iput(words, block, 1, 3, 4, 1);
    shmem_long_iput(words, block, 1, 5, 3, 1);
    shmem_finalize();
    return 0;
}
