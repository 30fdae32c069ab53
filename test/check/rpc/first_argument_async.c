// SPDX-License-Identifier: BSD-3-Clause
// An asynchronous call whose first argument names no PE.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: twice: RPC: the first argument, 0x[0-9a-f]+, must be an address in the symmetric memory of a PE
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    long local[4] = {0};
    shmem_init();
    shmemx_rpc_event_t event = shmemx_rpc_async(twice, local);
    shmemx_rpc_wait(&event, NULL);
    shmem_finalize();
    return (int)data[0];
}
