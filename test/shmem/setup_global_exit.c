// SPDX-License-Identifier: BSD-3-Clause
// shmem_global_exit of one PE ends the job with its code, while the others wait for what never comes; it flushes what the
// caller printed.
// pes: 1 2 8
// expect-exit: 37
// expect-stderr: last words
#include "test.h"

static long never;

int main(void) {
    test_begin();
    shmem_barrier_all();
    if (me == pes - 1) {
        fputs("last words\n", stderr);
        shmem_global_exit(37);
    }
    if (me % 2) shmem_barrier_all();
    else shmem_long_wait_until(&never, SHMEM_CMP_EQ, 1);
    REQUIRE(false, "shmem_global_exit let this PE go on");
}
