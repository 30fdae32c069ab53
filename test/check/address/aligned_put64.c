// SPDX-License-Identifier: BSD-3-Clause
// A put of 64-bit elements to an address between them.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_put64: dest 0x[0-9a-f]+: must be a multiple of the elements' size, 8 bytes
#include <shmem.h>

static long words[4];

int main(void) {
    shmem_init();
    shmem_put64((char *)words + 4, words + 2, 1, 1);
    shmem_finalize();
    return 0;
}
