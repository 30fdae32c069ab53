// SPDX-License-Identifier: BSD-3-Clause
// A function that is served calls, in its turn: one that has its own data, one that has its caller's, the next PE's. In a
// handler nobody waits, so such calls are run where they are made, and posted ones are sent. (far_back.c and far_nested.c have
// calls to far PEs.)
// nodes: 1
#include "rpc.h"

static long value[1];

static long leaf(long *at, long by) {
    return add_to(at, by);
}
RPC_ASYNC(leaf, (long *at, long by), (at, by))

static long middle(long *at, long *back, long *next) {
    long here = leaf_rpc(at, 1);     // my own
    long there = leaf_rpc(back, 10); // the caller's, who waits for me
    leaf_post(next, 100);            // may travel
    shmemx_rpc_event_t event = leaf_async(next, 100);
    (void)event; // nobody may wait for it here
    return here > 0 && there > 0 ? 7 : -7;
}
RPC(middle)

static long deep(long *at, long depth) {
    if (depth == 0) return leaf_rpc(at, 1) > 0 ? 0 : -1000;
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    long below = deep(address_at(localize(at), next), depth - 1);
    return below + 1;
}
RPC(deep)

int main(void) {
    test_begin();
    // Nobody waits for the events of `middle`. A PE of a chip has eight of them, and a further call would be refused.
    int rounds = TEST_SIZE(test_rounds(200), 4);
    long *mine = address_at(value, me);
    for (int i = 0; i < rounds; i++) {
        long *at = address_at(value, right_of(me)), *next = address_at(value, right_of(right_of(me)));
        REQUIRE(middle_rpc(at, mine, next) == 7, "a call inside a call");
        REQUIRE(deep_rpc(at, 20) == 20, "a chain of calls");
    }
    // What was posted from handlers arrives as well: calls with a reply come after it in each queue.
    double until = test_seconds() + 20;
    while (shmem_long_atomic_fetch(value, me) != 212L * rounds && test_seconds() < until) shmemx_rpc_poll();
    REQUIRE(value[0] == 212L * rounds, "%ld of %ld", value[0], 212L * rounds);
    shmem_barrier_all();
    return test_end();
}
