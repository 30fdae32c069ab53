// SPDX-License-Identifier: BSD-3-Clause
// A function that ends the job with shmem_global_exit: the job's exit code is its own.
// pes: 2 4
// expect-exit: 7
// expect-stderr: shmem_global_exit with status 7
#include "rpc.h"

static long data[1];

static void leave(long *at, int status) {
    (void)at;
    shmem_global_exit(status);
}
RPC(leave)

int main(void) {
    test_begin();
    if (me == 0) leave_rpc(address_at(data, 1), 7);
    shmem_barrier_all();
    test_sleep_ms(20000);
    return test_end();
}
