// SPDX-License-Identifier: BSD-3-Clause
// Blocks of nothing may stand on each other, but not go backwards.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_ibput: sst -1: must be at least bsize 0
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_long_ibput(words, values, 0, 0, 0, 3, 1);
    shmem_long_ibput(words, values, 0, -1, 0, 3, 1);
    shmem_finalize();
    return 0;
}
