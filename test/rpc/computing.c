// SPDX-License-Identifier: BSD-3-Clause
// A PE that computes without calling anything is made to serve, by a signal or by a thread beside it, and a call to it comes
// back; of waiting calls, posted ones and asynchronous ones.
// threads: yes
#include "rpc.h"

static long flag, other_flag, third_flag, computing;

static long raise_flag(long *at) {
    __atomic_store_n(localize(at), 1, __ATOMIC_RELEASE);
    return 5;
}
RPC_ASYNC(raise_flag, (long *at), (at))

static void call_odd_ones(void) {
    shmem_long_wait_until(&computing, SHMEM_CMP_EQ, pes / 2); // they call nothing any more
    for (int pe = 1; pe < pes; pe += 2) {
        REQUIRE(raise_flag_rpc(address_at(&flag, pe)) == 5, "a call");
        raise_flag_post(address_at(&other_flag, pe));
        long result = 0;
        shmemx_rpc_event_t event = raise_flag_async(address_at(&third_flag, pe));
        shmemx_rpc_wait(&event, &result);
        REQUIRE(result == 5, "an asynchronous call gave %ld", result);
    }
}

static void compute(const char *how) {
    shmem_long_atomic_inc(&computing, 0);
    REQUIRE(compute_until(&flag, 30), "%s: no call has come", how);
    REQUIRE(compute_until(&other_flag, 30), "%s: no posted call has come", how);
    REQUIRE(compute_until(&third_flag, 30), "%s: no asynchronous call has come", how);
}

int main(void) {
    static const struct {
        int how;
        const char *name;
    } ways[] = {{SHMEMX_RPC_BY_SIGNAL, "by a signal"}, {SHMEMX_RPC_BY_THREAD, "by a thread"}};
    test_begin();
    for (size_t i = 0; i < TEST_COUNT(ways); i++) {
        REQUIRE(shmemx_rpc_attention(ways[i].how) == 0, "%s: not to be had", ways[i].name);
        __atomic_store_n(&flag, 0, __ATOMIC_RELAXED); // the thread sanitizer does not see the barrier that is between
        __atomic_store_n(&other_flag, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&third_flag, 0, __ATOMIC_RELAXED);
        computing = 0;
        shmem_barrier_all();
        if (me == 0) call_odd_ones();
        else if (me % 2) compute(ways[i].name);
        shmem_barrier_all();
        REQUIRE(me % 2 == 0 || counters().interrupted >= 1, "%s: nothing was counted", ways[i].name);
    }
    return test_end();
}
