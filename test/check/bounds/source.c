// SPDX-License-Identifier: BSD-3-Clause
// A put whose source runs over the end of its block.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_put: source 0x[0-9a-f]+: 96 bytes .* the block of 80 bytes
#include <shmem.h>

static long words[12];

int main(void) {
    shmem_init();
    long *block = shmem_malloc(10 * sizeof *block);
    shmem_long_put(words, block, 10, 1);
    shmem_long_put(words, block, 12, 1);
    shmem_finalize();
    return 0;
}
