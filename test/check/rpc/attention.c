// SPDX-License-Identifier: BSD-3-Clause
// A way of attending that there is not.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_attention: how 9: must be SHMEMX_RPC_ONLY_WAITING
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    shmemx_rpc_attention(9);
    shmem_finalize();
    return (int)twice_rpc(data);
}
