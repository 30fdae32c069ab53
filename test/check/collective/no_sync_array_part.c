// SPDX-License-Identifier: BSD-3-Clause
// A collective on one of the PEs without a work array.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_broadcast64: pSync: must be a symmetric work array, not NULL
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_broadcast64(words, values, 4, 0, shmem_my_pe(), 0, 1, NULL);
    shmem_finalize();
    return 0;
}
