// SPDX-License-Identifier: BSD-3-Clause
// The queue of a PE of another node is full. A call is refused if its caller wants that, posted, waited for and asynchronous, also one
// with a block of the largest size. Otherwise the caller waits, runs calls of others meanwhile, and its call is served: no call to
// a far PE runs at its caller.
// pes: 3 4
// nodes: only
#include "rpc.h"

#define DEPTH 64 // SKERRY_RPC_DEPTH

static int target, third; // the last PE, which is far for PE 0; another PE
static long released, called[2], waits_now, blocks[2];

static long count(long *at) {
    return add_to(at, 1);
}
RPC_ASYNC(count, (long *at), (at))

static long take(long *at, const void *block, size_t bytes, uint64_t seed) {
    return add_to(at + (test_first_wrong(block, bytes, seed) == bytes ? 0 : 1), 1);
}
RPC_BLOCK(take)

static void fill(long *there) {
    shmemx_rpc_when_full(SHMEMX_RPC_REFUSE);
    int sent = 0;
    while (count_post(there) == SHMEMX_RPC_SERVED) sent++;
    REQUIRE(sent == DEPTH && shmemx_rpc_status() == SHMEMX_RPC_REFUSED, "%d calls, then status %d", sent,
            shmemx_rpc_status());
}

static void call_and_be_refused(long *there) {
    unsigned char block[SHMEMX_RPC_BLOCK_BYTES] = {0};
    unsigned long refused = counters().refused;
    REQUIRE(count_rpc(there) == 0 && shmemx_rpc_status() == SHMEMX_RPC_REFUSED, "status %d", shmemx_rpc_status());
    long result = 7;
    shmemx_rpc_event_t event = count_async(there);
    REQUIRE(shmemx_rpc_wait(&event, &result) == SHMEMX_RPC_REFUSED && result == 0, "an event: status %d, result %ld",
            shmemx_rpc_status(), result);
    REQUIRE(take_rpc(address_at(blocks, target), block, sizeof block, 0) == 0, "a call with a block was run");
    REQUIRE(shmemx_rpc_status() == SHMEMX_RPC_REFUSED, "a call with a block: status %d", shmemx_rpc_status());
    REQUIRE(counters().refused == refused + 3, "%lu calls were counted", counters().refused - refused);
}

// The target frees its queue only when another PE has called this one, which then must run calls while it waits.
static void call_and_wait(int policy) {
    long *there = address_at(called, target);
    shmemx_rpc_when_full(policy);
    shmem_long_p(&waits_now, 1, third);
    long result = count_rpc(there);
    REQUIRE(result == DEPTH + 1 && shmemx_rpc_status() == SHMEMX_RPC_SERVED, "policy %d: result %ld, status %d", policy,
            result, shmemx_rpc_status());
}

static void be_full(void) {
    shmemx_rpc_defer(SHMEMX_RPC_URGENT);
    shmem_barrier_all();
    shmem_long_wait_until(&released, SHMEM_CMP_EQ, 1);
    shmemx_rpc_defer(SHMEMX_RPC_NONE);
}

static void call_the_waiting(void) {
    shmem_barrier_all();
    shmem_long_wait_until(&waits_now, SHMEM_CMP_EQ, 1);
    test_sleep_ms(20);
    REQUIRE(count_rpc(address_at(&called[1], 0)) == 1, "PE 0 has been called before");
    shmem_long_p(&released, 1, target);
}

static void round_of(int policy) {
    called[0] = called[1] = waits_now = released = 0;
    shmem_barrier_all();
    if (me == target) be_full();
    else if (me == third) call_the_waiting();
    else shmem_barrier_all();
    if (me == 0) {
        fill(address_at(called, target));
        call_and_be_refused(address_at(called, target));
        call_and_wait(policy);
    }
    shmem_barrier_all();
    REQUIRE(me != target || called[0] == DEPTH + 1, "%ld calls", called[0]);
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    target = pes - 1, third = 1;
    REQUIRE(me != 0 || is_far(target), "this test needs the last PE on another node than PE 0");
    round_of(SHMEMX_RPC_WAIT);
    round_of(SHMEMX_RPC_RUN);
    REQUIRE(blocks[0] == 0 && blocks[1] == 0, "a refused call has run");
    REQUIRE(counters().run_by_caller == 0, "%lu calls were run by their caller", counters().run_by_caller);
    return test_end();
}
