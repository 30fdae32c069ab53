// SPDX-License-Identifier: BSD-3-Clause
// A policy that there is not.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_when_full: policy -1: must be SHMEMX_RPC_RUN
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    shmemx_rpc_when_full(-1);
    shmem_finalize();
    return (int)twice_rpc(data);
}
