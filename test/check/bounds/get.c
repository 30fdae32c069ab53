// SPDX-License-Identifier: BSD-3-Clause
// A get whose destination runs over the end of its block.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_get: dest 0x[0-9a-f]+: 96 bytes .* the block of 80 bytes
#include <shmem.h>

static long words[12];

int main(void) {
    shmem_init();
    long *block = shmem_malloc(10 * sizeof *block);
    shmem_long_get(block, words, 10, 1);
    shmem_long_get(block, words, 12, 1);
    shmem_finalize();
    return 0;
}
