// SPDX-License-Identifier: BSD-3-Clause
// Without checks too a reduction on an active set says that it came too early.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: shmem_long_sum_to_all: called before shmem_init
#include <shmem.h>

static long dest, source, sync_words[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

int main(void) {
    shmem_long_sum_to_all(&dest, &source, 1, 0, 0, 1, work, sync_words);
    return 0;
}
