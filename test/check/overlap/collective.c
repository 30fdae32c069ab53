// SPDX-License-Identifier: BSD-3-Clause
// A broadcast whose destination overlaps its source.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_broadcast: dest 0x[0-9a-f]+ of 32 bytes, source 0x[0-9a-f]+ of 32
// bytes: must not overlap
#include <shmem.h>

static long words[8];

int main(void) {
    shmem_init();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, words + 2, words, 4, 0);
    shmem_finalize();
    return 0;
}
