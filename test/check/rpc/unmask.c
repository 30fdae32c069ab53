// SPDX-License-Identifier: BSD-3-Clause
// An unmasking without a masking.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_unmask: must be called once for each call of shmemx_rpc_mask, and after it
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    shmemx_rpc_mask();
    shmemx_rpc_unmask();
    shmemx_rpc_unmask();
    shmem_finalize();
    return (int)twice_rpc(data);
}
