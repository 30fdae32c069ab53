// SPDX-License-Identifier: BSD-3-Clause
// Calls that were posted before shmem_finalize run in it at the latest, whatever their class and however their PE attends.
// env: SKERRY_RPC_DEPTH=256
#include "rpc.h"

#define CALLS 20

static long calls;

static void count(long *at) {
    add_to(at, 1);
}
RPC_ASYNC(count, (long *at), (at))

static void require_all(void) {
    if (calls == 3L * CALLS * pes) return;
    fprintf(stderr, "PE %d: %ld calls of %ld\n", me, calls, 3L * CALLS * pes);
    _Exit(1);
}

int main(void) {
    test_begin();
    shmemx_rpc_attention(SHMEMX_RPC_ONLY_WAITING);
    shmem_barrier_all();
    for (int class = SHMEMX_RPC_URGENT; class <= SHMEMX_RPC_BACKGROUND; class ++) {
        shmemx_rpc_class(class);
        for (int i = 0; i < CALLS; i++)
            for (int pe = 0; pe < pes; pe++) count_post(address_at(&calls, pe));
    }
    shmem_finalize();
    require_all();
    return 0;
}
