// SPDX-License-Identifier: BSD-3-Clause
// A put to a PE whose program has ended stops the job with a line: the tag of its memory is closed.
// pes: 2
// expect-exit: 124
// expect-stderr: a packet from node 0 arrived for Rx tag 0, which nobody owns
#include "test.h"

static long word;

int main(void) {
    test_begin();
    shmem_barrier_all();
    if (me == 1) _Exit(0);
    test_sleep_ms(100);
    shmem_long_p(&word, 1, 1);
    shmem_quiet();
    return test_end();
}
