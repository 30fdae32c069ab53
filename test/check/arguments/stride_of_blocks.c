// SPDX-License-Identifier: BSD-3-Clause
// Blocks that would overlap because their stride is less than their size.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_ibput: dst 1: must be at least bsize 2
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_long_ibput(words, values, 1, 2, 2, 2, 1);
    shmem_finalize();
    return 0;
}
