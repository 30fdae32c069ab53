// SPDX-License-Identifier: BSD-3-Clause
// An active set that goes past the last PE.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_barrier: PE_size 4, PE_start 0, logPE_stride 0: the active set must be inside the job's 2 PEs
#include <shmem.h>

static long work[SHMEM_SYNC_SIZE];

int main(void) {
    shmem_init();
    shmem_barrier(0, 0, 4, work);
    shmem_finalize();
    return 0;
}
