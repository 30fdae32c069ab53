// SPDX-License-Identifier: BSD-3-Clause
// The members of an active set with every second PE pass different numbers of elements. Two members are on different nodes.
// pes: 4 5
// ways: 4:4:tcp 5:3:all
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_sum_to_all: nreduce 2: must be the same on all members; PE 0 has 1
#include <shmem.h>

static long work[SHMEM_REDUCE_SYNC_SIZE], reduce_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 2], words[2], values[2];

int main(void) {
    shmem_init();
    const int me = shmem_my_pe();
    if (me % 2 == 0)
        shmem_long_sum_to_all(words, values, me == 0 ? 1 : 2, 0, 1, (shmem_n_pes() + 1) / 2, reduce_work, work);
    shmem_finalize();
    return 0;
}
