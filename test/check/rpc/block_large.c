// SPDX-License-Identifier: BSD-3-Clause
// A block that is larger than one may be.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: take: RPC: the block has 5000 bytes; it must have at most 4096
#include <shmemx.h>

static long data[1];
static char block[5000];

static void take(long *at, const void *bytes, size_t count) {
    (void)bytes;
    *localize(at) = (long)count;
}
RPC_BLOCK(take)

int main(void) {
    shmem_init();
    take_rpc(shmem_ptr(data, 1 - shmem_my_pe()), block, sizeof block);
    shmem_finalize();
    return 0;
}
