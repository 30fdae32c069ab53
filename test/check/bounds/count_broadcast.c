// SPDX-License-Identifier: BSD-3-Clause
// A broadcast of so many elements that their bytes overflow to one element's.
// pes: 3
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_broadcast: dest 0x[0-9a-f]+: 2305843009213693953 elements of 8 bytes from there on reach past the end of any object
#include <shmem.h>

#include <stdint.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, words, values, SIZE_MAX / sizeof(long) + 2, 0);
    shmem_finalize();
    return 0;
}
