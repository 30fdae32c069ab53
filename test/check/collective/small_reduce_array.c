// SPDX-License-Identifier: BSD-3-Clause
// A reduction whose work array for data is too small: half as many elements and one.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_sum_to_all: pWrk 0x[0-9a-f]+: 48 bytes .* the block of 40 bytes
#include <shmem.h>

static long sums[10], values[10], work[SHMEM_REDUCE_SYNC_SIZE];

int main(void) {
    shmem_init();
    long *data = shmem_malloc(5 * sizeof *data);
    shmem_long_sum_to_all(sums, values, 8, 0, 0, shmem_n_pes(), data, work);
    shmem_barrier_all();
    shmem_long_sum_to_all(sums, values, 10, 0, 0, shmem_n_pes(), data, work);
    shmem_finalize();
    return 0;
}
