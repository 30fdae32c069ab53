// SPDX-License-Identifier: BSD-3-Clause
// A function that waits for an event while it runs for another PE.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: wait_here: a remote procedure must not wait
#include <shmemx.h>

static long data[1];

static long one(long *at) {
    return *localize(at) + 1;
}
RPC(one)

static long wait_here(long *at, long *back) {
    (void)at;
    shmemx_rpc_event_t event = shmemx_rpc_async(one, back);
    long result = 0;
    shmemx_rpc_wait(&event, &result);
    return result;
}
RPC(wait_here)

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) shmemx_rpc_mask(); // there will be no reply
    if (shmem_my_pe() == 0) wait_here_rpc(shmem_ptr(data, 1), shmem_ptr(data, 0));
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
