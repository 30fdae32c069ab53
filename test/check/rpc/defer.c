// SPDX-License-Identifier: BSD-3-Clause
// Deferring a class that there is not.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_defer: class -1: must be SHMEMX_RPC_URGENT .* or SHMEMX_RPC_NONE
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    shmemx_rpc_defer(-1);
    shmem_finalize();
    return (int)twice_rpc(data);
}
