// SPDX-License-Identifier: BSD-3-Clause
// Rings of every depth, full ones too: nothing is lost, and each call is counted once.
#include <skerry/rpc/ring/ring.h>

#include "check.h"

SHMEMX_RPC_DEPTH(15)

#define CALLS 30

static int counts[16];
static unsigned counted[16][3];

// Long enough for others to come meanwhile.
static int count(int *all, int who) {
    for (volatile int i = 0; i < 20; i++) continue;
    all = localize(all);
    return ++all[who];
}
RPC(count)

int main(void) {
    test_begin();
    for (unsigned depth = 0; depth <= 15; depth++) {
        skerry_rpc.depth = SKERRY_RPC_ONE * (uint32_t)depth;
        skerry_rpc.sent = skerry_rpc.interrupting = skerry_rpc.run_here = skerry_rpc.served = 0;
        shmem_barrier_all();
        for (int i = 1; i <= CALLS; i++) CHECK(count_rpc(shmem_ptr(counts, 0), me) == i);
        unsigned mine[3] = {skerry_rpc.sent, skerry_rpc.run_here, skerry_rpc.interrupting};
        CHECK(mine[0] + mine[1] == (me == 0 ? 0 : CALLS) && mine[2] <= mine[0]);
        if (depth == 0) CHECK(mine[0] == 0);
        if ((int)depth >= pes - 1) CHECK(mine[1] == 0);
        shmem_putmem(counted[me], mine, sizeof mine, 0);
        shmem_barrier_all();
        unsigned sent = 0;
        for (int pe = 0; pe < pes && me == 0; pe++) {
            CHECK(counts[pe] == CALLS);
            counts[pe] = 0;
            sent += counted[pe][0];
        }
        if (me == 0) {
            CHECK(skerry_rpc.served == SKERRY_RPC_ONE * sent);
            CHECK(skerry_rpc.tail == 0 && skerry_rpc.head == 0 && skerry_rpc.lock == 0 && skerry_rpc.gate == 0);
        }
        shmem_barrier_all();
    }
    return test_end();
}
