// SPDX-License-Identifier: BSD-3-Clause
// shmem_global_exit(0), called by several PEs at once, is success.
// pes: 1 2 8
// expect-exit: 0
#include "test.h"

static long never;

int main(void) {
    test_begin();
    shmem_barrier_all();
    if (me % 3 == 0) shmem_global_exit(0);
    shmem_long_wait_until(&never, SHMEM_CMP_EQ, 1);
    REQUIRE(false, "shmem_global_exit let this PE go on");
}
