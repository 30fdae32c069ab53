// SPDX-License-Identifier: BSD-3-Clause
// An exchange in place: blocks are overwritten before they are read.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_alltoall: dest 0x[0-9a-f]+ of 64 bytes, source 0x[0-9a-f]+ of 64 bytes: must not overlap
#include <shmem.h>

static long words[8];

int main(void) {
    shmem_init();
    shmem_long_alltoall(SHMEM_TEAM_WORLD, words, words, 4);
    shmem_finalize();
    return 0;
}
