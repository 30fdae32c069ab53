// SPDX-License-Identifier: BSD-3-Clause
// A PE that is not in the active set calls.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_barrier: this PE is not in the active set PE_size 1, PE_start 0
#include <shmem.h>

static long work[SHMEM_SYNC_SIZE];

int main(void) {
    shmem_init();
    shmem_barrier(0, 0, 1, work);
    shmem_finalize();
    return 0;
}
