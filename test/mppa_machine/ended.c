// SPDX-License-Identifier: BSD-3-Clause
// A get from a PE whose program has ended stops the job with a line.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: a put, get or atomic: pe 1: its program has ended, so its memory cannot be accessed
#include "test.h"

static long word;

int main(void) {
    test_begin();
    shmem_barrier_all();
    if (me == 1) _Exit(0);
    test_sleep_ms(100);
    printf("%ld\n", shmem_long_g(&word, 1));
    return test_end();
}
