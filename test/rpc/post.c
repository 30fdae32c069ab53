// SPDX-License-Identifier: BSD-3-Clause
// Calls without reply: each runs once, those of one PE to another in the order in which they were made as long as the queue
// has room, and all have run after the calls with a reply that follow them.
// env: SKERRY_RPC_DEPTH=1024
#include "rpc.h"

#define CALLS 300

static long counts[1024];
static long last[1024]; // of each PE

static void note(long *at, int from, long number) {
    long *mine = localize(at);
    if (last[from] != number - 1) mine[from] = -1000000; // out of order
    last[from] = number;
    mine[from]++;
}
RPC_ASYNC(note, (long *at, int from, long number), (at, from, number))

static int seen(long *at, int from) {
    return (int)localize(at)[from];
}
RPC(seen)

int main(void) {
    test_begin();
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    for (long i = 1; i <= CALLS; i++)
        for (int pe = 0; pe < pes; pe++) {
            int status =
                i % 2 ? note_post(address_at(counts, pe), me, i) : shmemx_rpc_post(note, address_at(counts, pe), me, i);
            REQUIRE(status == (pe == me ? SHMEMX_RPC_RUN_BY_CALLER : SHMEMX_RPC_SERVED), "status %d", status);
        }
    for (int pe = 0; pe < pes; pe++) {
        int got = seen_rpc(address_at(counts, pe), me);
        REQUIRE(got == CALLS, "PE %d has seen %d calls of %d", pe, got, CALLS);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) REQUIRE(counts[pe] == CALLS, "%ld calls of PE %d", counts[pe], pe);
    return test_end();
}
