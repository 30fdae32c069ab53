// SPDX-License-Identifier: BSD-3-Clause
// A call with a block that is nowhere.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: take: RPC: block: must not be NULL, because its size is 8 bytes
#include <shmemx.h>

static long data[1];

static void take(long *at, const void *bytes, size_t count) {
    (void)bytes;
    *localize(at) = (long)count;
}
RPC_BLOCK(take)

int main(void) {
    shmem_init();
    take_rpc(shmem_ptr(data, 1 - shmem_my_pe()), NULL, 8);
    shmem_finalize();
    return 0;
}
