// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a size of the program's own, and one place for them that all want at once: every block arrives whole, or its call is
// run by its caller, waits or is refused.
#define SHMEMX_RPC_BLOCK_BYTES 88
#include "check.h"

SHMEMX_RPC_BLOCKS(1)

#define CALLS 20

static long counts[16], refused;

static int take(long *all, const void *block, size_t bytes, int who) {
    for (volatile int i = 0; i < 20; i++) continue; // others come meanwhile
    CHECK(test_first_wrong(block, bytes, (uint64_t)who) == bytes);
    localize(all)[who]++;
    return who + 1;
}
RPC_BLOCK(take)

int main(void) {
    test_begin();
    unsigned char block[SHMEMX_RPC_BLOCK_BYTES];
    test_fill(block, sizeof block, (uint64_t)me);
    for (int policy = SHMEMX_RPC_RUN; policy <= SHMEMX_RPC_REFUSE; policy++) {
        shmemx_rpc_when_full(policy);
        shmem_barrier_all();
        refused = 0;
        for (int i = 0; i < CALLS; i++) {
            int result = take_rpc(shmem_ptr(counts, 0), block, sizeof block - (size_t)i, me);
            bool was_refused = me != 0 && shmemx_rpc_status() == SHMEMX_RPC_REFUSED;
            CHECK(result == (was_refused ? 0 : me + 1));
            CHECK(!was_refused || policy == SHMEMX_RPC_REFUSE);
            if (me != 0 && policy == SHMEMX_RPC_WAIT) CHECK(shmemx_rpc_status() == SHMEMX_RPC_SERVED);
            refused += was_refused;
        }
        shmem_barrier_all();
        CHECK(shmem_long_g(&counts[me], 0) == CALLS - refused);
        shmem_barrier_all();
        if (me == 0) memset(counts, 0, sizeof counts);
        shmem_barrier_all();
    }
    return test_end();
}
