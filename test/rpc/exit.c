// SPDX-License-Identifier: BSD-3-Clause
// A function that calls exit ends its PE, and with it the job.
// pes: 2 4
// expect-exit: 1
// expect-stderr: PE 1 .*exited without shmem_finalize
#include "rpc.h"

static long data[1];

static void leave(long *at) {
    (void)at;
    exit(0);
}
RPC(leave)

int main(void) {
    test_begin();
    if (me == 0) leave_rpc(address_at(data, 1));
    shmem_barrier_all();
    test_sleep_ms(20000);
    return test_end();
}
