// SPDX-License-Identifier: BSD-3-Clause
// Background calls interrupt nobody: a PE that computes gets them when it next waits. Others that come meanwhile do not bring
// them along.
// pes: 2 4
#include "rpc.h"

static long flag, background;

static void raise_flag(long *at) {
    *(volatile long *)localize(at) = 1;
}
RPC_ASYNC(raise_flag, (long *at), (at))

static void add_one(long *at) {
    ++*localize(at);
}
RPC_ASYNC(add_one, (long *at), (at))

int main(void) {
    test_begin();
    shmem_barrier_all();
    if (me == 1) {
        int before = shmemx_rpc_class(SHMEMX_RPC_BACKGROUND);
        for (int i = 0; i < 20; i++) add_one_post(address_at(&background, 0));
        shmemx_rpc_class(before);
        raise_flag_rpc(address_at(&flag, 0));
    }
    if (me == 0) {
        REQUIRE(compute_until(&flag, 30), "no call has come");
        REQUIRE(shmemx_rpc_poll() >= 0, "poll");
    }
    shmem_barrier_all();
    shmemx_rpc_poll();
    REQUIRE(me != 0 || background == 20, "%ld background calls", background);
    return test_end();
}
