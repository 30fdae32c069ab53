// SPDX-License-Identifier: BSD-3-Clause
// A put to a PE whose program has ended stops the job with a line, also if other puts to it were sent before its end.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: a put, get or atomic: pe 1: its program has ended, so its memory cannot be accessed
#include "test.h"

static long word;

int main(void) {
    test_begin();
    if (me == 0) shmem_long_p(&word, 2, 1);
    shmem_barrier_all();
    if (me == 1) _Exit(0);
    test_sleep_ms(100);
    shmem_long_p(&word, 1, 1);
    shmem_quiet();
    return test_end();
}
