// SPDX-License-Identifier: BSD-3-Clause
// A get after shmem_finalize.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_g: called after shmem_finalize
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_finalize();
    return (int)shmem_long_g(&word, 0);
}
