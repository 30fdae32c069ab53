// SPDX-License-Identifier: BSD-3-Clause
// A remote procedure begins calls to a far PE, also back to its caller, and does not wait for them: posted and asynchronous ones. The
// queue of that PE has no free slot for some of them; these are refused, and the remote procedure is told.
// pes: 2 3 4 7
#include "rpc.h"

#define ROUNDS 300

static long totals[2], accepted[1];

static void leaf(long *at, long by) {
    add_to(at, by);
}
RPC_ASYNC(leaf, (long *at, long by), (at, by))

// Returns the number of calls that were accepted.
static long middle(long *at, long *back, long *next) {
    (void)at;
    long sent = leaf_post(back, 1) >= 0;
    sent += leaf_post(next, 1) >= 0;
    shmemx_rpc_event_t event = leaf_async(next, 1);
    (void)event; // nobody may wait for it here, so it is not used again
    return sent;
}
RPC(middle)

static long many(long *at, long *back, long calls) {
    (void)at;
    long sent = 0;
    for (long i = 0; i < calls; i++) sent += leaf_post(back, 1) >= 0;
    return sent;
}
RPC_ASYNC(many, (long *at, long *back, long calls), (at, back, calls))

static void call_back_and_on(void) {
    long *mine = address_at(totals, me);
    long *there = address_at(totals, right_of(me)), *next = address_at(&totals[1], right_of(right_of(me)));
    for (int i = 0; i < ROUNDS; i++) accepted[0] += middle_rpc(there, mine, next);
    shmem_barrier_all();
}

// Asks the right PE to post more calls to this PE than its queue holds, while this PE leaves them there.
static void overflow(void) {
    enum { calls = 200 };
    long before = totals[0], sent = 0;
    if (me == 0) {
        shmemx_rpc_event_t event = many_async(address_at(totals, 1), address_at(totals, 0), calls);
        shmemx_rpc_mask();
        while (!shmemx_rpc_test(&event, &sent)) continue;
        REQUIRE(is_far(1) ? sent < calls : sent == calls, "%ld of %d calls were accepted", sent, calls);
        shmemx_rpc_unmask();
        REQUIRE(totals[0] == before + sent, "%ld calls have run, not %ld", totals[0] - before, sent);
    }
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    shmem_barrier_all();
    call_back_and_on();
    // Each round posts one call to its caller and begins two at the PE after the next. Posted calls that were accepted have run
    // after a later call of the same class.
    for (int pe = 0; pe < pes; pe++) leaf_rpc(address_at(totals, pe), 0);
    shmem_barrier_all();
    static long sent_of_all, run, run_by_all;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sent_of_all, accepted, 1);
    run = totals[0] + totals[1];
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &run_by_all, &run, 1);
    REQUIRE(run_by_all >= sent_of_all && sent_of_all > 0, "%ld calls of %ld have run", run_by_all, sent_of_all);
    shmem_barrier_all();
    overflow();
    return test_end();
}
