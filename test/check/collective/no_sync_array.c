// SPDX-License-Identifier: BSD-3-Clause
// A collective on all PEs without a work array.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_barrier: pSync: must be a symmetric work array, not NULL
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_barrier(0, 0, shmem_n_pes(), NULL);
    shmem_finalize();
    return 0;
}
