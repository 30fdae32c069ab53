// SPDX-License-Identifier: BSD-3-Clause
// A reduction on all PEs without the work array for data.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_sum_to_all: pWrk: must be a symmetric work array, not NULL
#include <shmem.h>

static long sums[3], values[3], work[SHMEM_REDUCE_SYNC_SIZE];

int main(void) {
    shmem_init();
    shmem_long_sum_to_all(sums, values, 3, 0, 0, shmem_n_pes(), NULL, work);
    shmem_finalize();
    return 0;
}
