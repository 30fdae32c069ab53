// SPDX-License-Identifier: BSD-3-Clause
// PEs on several nodes that wait for a PE that has finalized end the job with a line, also if one of them has put large data
// and never completes the put.
// pes: 3
// nodes: only
// ways: 3:3:remote
// timeout: 120
// skip: epiphany
// expect-fail: PE 1 \(process [0-9]+\) has finalized, and PEs 0, 2 still wait for it
#include "test.h"

static char inbox[100000], outbox[100000];
static long word;

int main(void) {
    test_begin();
    shmem_barrier_all();
    if (me != 1) shmem_barrier_all(); // PE 1 executes it in shmem_finalize
    if (me == 0) shmem_putmem(inbox, outbox, sizeof outbox, 2);
    if (me != 1) shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
