// SPDX-License-Identifier: BSD-3-Clause
// PEs in pairs that call each other without a pause, and whole rings of calls: nobody waits for one who waits for him.
// pes: 2 3 4 7 8 16
// ways: 64:4:tcp
#include "rpc.h"

static long counts[2];

static long count(long *at) {
    return add_to(at, 1);
}
RPC(count)

int main(void) {
    test_begin();
    int partner = (me ^ 1) < pes ? me ^ 1 : me;
    int rounds = test_rounds(20000);
    for (int policy = SHMEMX_RPC_RUN; policy <= SHMEMX_RPC_WAIT; policy++) {
        shmemx_rpc_when_full(policy);
        for (int i = 0; i < rounds; i++) count_rpc(address_at(&counts[0], partner));
        for (int i = 0; i < rounds; i++) count_rpc(address_at(&counts[1], right_of(me)));
    }
    shmem_barrier_all();
    REQUIRE(counts[0] == 2L * rounds && counts[1] == 2L * rounds, "%ld and %ld of %ld", counts[0], counts[1],
            2L * rounds);
    return test_end();
}
