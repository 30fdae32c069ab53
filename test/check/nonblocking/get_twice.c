// SPDX-License-Identifier: BSD-3-Clause
// Two non-blocking gets into one place.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_get64_nbi: dest 0x[0-9a-f]+, 32 bytes: is the destination of a shmem_long_get_nbi
#include <shmem.h>

static long words[4], copy[4];

int main(void) {
    shmem_init();
    shmem_long_get_nbi(copy, words, 4, 1);
    shmem_get64_nbi(copy, words, 4, 0);
    shmem_finalize();
    return 0;
}
