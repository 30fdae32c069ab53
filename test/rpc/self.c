// SPDX-License-Identifier: BSD-3-Clause
// A call whose first argument is this PE's own is a plain call: nothing is sent, and anything may be passed, also what the
// calling convention puts on the stack.
#include "rpc.h"

static long target;

static long sum(long *at, int a, int b, int c, int d, int e, int f, int g, double h, long double i) {
    return *at + a + b + c + d + e + f + g + (long)h + (long)i;
}
RPC(sum)

static int runs_on(const void *at) {
    (void)at;
    return shmem_my_pe();
}
RPC_ASYNC(runs_on, (const void *at), (at))

static void call_own(long *at) {
    *at = 1000;
    REQUIRE(sum_rpc(at, 1, 2, 3, 4, 5, 6, 7, 8.0, 9.0L) == 1045, "sum %ld",
            sum_rpc(at, 1, 2, 3, 4, 5, 6, 7, 8.0, 9.0L));
    REQUIRE(runs_on_rpc(at) == me, "ran on PE %d", runs_on_rpc(at));
    int where = -1;
    shmemx_rpc_event_t event = runs_on_async(at);
    REQUIRE(shmemx_rpc_wait(&event, &where) == SHMEMX_RPC_RUN_BY_CALLER && where == me, "asynchronous: PE %d", where);
    REQUIRE(runs_on_post(at) == SHMEMX_RPC_RUN_BY_CALLER, "post: status %d", shmemx_rpc_status());
}

int main(void) {
    long local;
    test_begin();
    long *block = test_malloc(sizeof *block);
    call_own(&target);
    call_own(address_at(&target, me));
    call_own(block);
    call_own(address_at(block, me));
    call_own(&local); // no PE's memory is this PE's own
    REQUIRE(counters().sent == 0 && counters().run_by_caller == 0, "something was sent");
    REQUIRE(localize((long *)address_at(&target, me)) == &target, "localize of static data");
    REQUIRE(localize((long *)address_at(block, me)) == block, "localize of the heap");
    REQUIRE(localize(&local) == &local, "localize of the stack");
    REQUIRE(shmemx_localize((long *)NULL) == NULL, "localize of NULL");
    int other = right_of(me);
    if (other != me) {
        long *there = address_at(&target, other);
        REQUIRE(localize(there) == there, "localize of another PE's data");
    }
    shmem_free(block);
    return test_end();
}
