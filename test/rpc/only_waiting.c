// SPDX-License-Identifier: BSD-3-Clause
// A PE that serves in its waits only is not interrupted: functions may then call what the program may, and see it between
// two calls of the library. The call comes back when the PE waits.
// pes: 2 3 8
#include "rpc.h"

static long computing, called_while_computing, calls;

static void note(long *at) {
    long *mine = localize(at);
    called_while_computing += computing;
    free(malloc(100)); // not safe in a signal's handler
    mine[0]++;
}
RPC_ASYNC(note, (long *at), (at))

int main(void) {
    test_begin();
    REQUIRE(shmemx_rpc_attention(SHMEMX_RPC_ONLY_WAITING) == 0, "attention");
    shmem_barrier_all();
    if (me == 0) {
        shmem_barrier_all();
        computing = 1;
        double until = test_seconds() + 0.1;
        while (test_seconds() < until) free(malloc(10));
        computing = 0;
    } else {
        note_post(address_at(&calls, 0));
        shmem_barrier_all();
        note_rpc(address_at(&calls, 0));
    }
    shmem_barrier_all();
    if (me == 0) {
        REQUIRE(calls == 2 * (pes - 1), "%ld calls", calls);
        REQUIRE(called_while_computing == 0, "%ld calls between", called_while_computing);
        REQUIRE(counters().interrupted == 0, "interrupted");
    } else {
        REQUIRE(counters().interrupting == 0, "%lu interrupts", counters().interrupting);
    }
    return test_end();
}
