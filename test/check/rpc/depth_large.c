// SPDX-License-Identifier: BSD-3-Clause
// SKERRY_RPC_DEPTH with more than there is room for.
// pes: 2
// env: SKERRY_RPC_DEPTH=1025
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: SKERRY_RPC_DEPTH=1025: must be at most 1024
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    shmem_finalize();
    return (int)twice_rpc(data);
}
