// SPDX-License-Identifier: BSD-3-Clause
// An alignment smaller than a pointer's.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: shmem_align: alignment 2: must be a power of two, and at least the size of a pointer
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_free(shmem_align(2, 100));
    shmem_finalize();
    return 0;
}
