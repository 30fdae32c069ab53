// SPDX-License-Identifier: BSD-3-Clause
// An alignment that is no power of two.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_align: alignment 24: must be a power of two, and at least the size of a pointer
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_free(shmem_align(24, 100));
    shmem_finalize();
    return 0;
}
