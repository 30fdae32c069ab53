// SPDX-License-Identifier: BSD-3-Clause
// Calls that are not waited for at once: events, any and all of them, no answer at all, teams; and functions that begin such
// calls themselves.
#include "check.h"

#define ROUNDS 20
#define EVENTS 4

static int data, counts[16], passed[16];
static long long wide_data;

static int sum(int *p, int x) {
    return *localize(p) + x;
}
RPC_ASYNC(sum, (int *p, int x), (p, x))

static long long wide(long long *p, long long x) {
    return *localize(p) * 2 + x;
}
RPC(wide)

static void count(int *all, int who) {
    all = localize(all);
    all[who]++;
}
RPC(count)

// Tells the next but one, without an answer.
static void pass_on(int *all, int who, int *next) {
    localize(all)[who]++;
    CHECK(shmemx_rpc_post(count, next, who) >= 0);
}
RPC(pass_on)

static void in_rounds(void) {
    int next = right_of(me), last = left_of(me);
    for (int i = 0; i < ROUNDS; i++) {
        int a = 0, b = 0;
        long long c = 0;
        shmemx_rpc_event_t first = sum_async(shmem_ptr(&data, next), i);
        shmemx_rpc_event_t second = shmemx_rpc_async(sum, shmem_ptr(&data, last), 2 * i);
        shmemx_rpc_event_t third = shmemx_rpc_async(wide, shmem_ptr(&wide_data, next), (long long)i << 33);
        CHECK(sum_rpc(shmem_ptr(&data, i % pes), 1) == 100 * (i % pes) + 1);
        while (!shmemx_rpc_test(&second, &b)) continue;
        CHECK(shmemx_rpc_wait(&third, &c) >= 0);
        CHECK(shmemx_rpc_wait(&first, &a) >= 0 && first.number == 0);
        CHECK(a == 100 * next + i && b == 100 * last + 2 * i);
        CHECK(c == ((long long)next << 41) + ((long long)i << 33));
        int status = shmemx_rpc_post(count, shmem_ptr(counts, next), me);
        CHECK(status == SHMEMX_RPC_SERVED || status == SHMEMX_RPC_RUN_BY_CALLER);
        CHECK(shmemx_rpc_status() == status);
    }
}

static void any_and_all(void) {
    shmemx_rpc_event_t events[EVENTS];
    int results[EVENTS] = {0}, seen = 0, result;
    for (int k = 0; k < EVENTS; k++) events[k] = sum_async(shmem_ptr(&data, (me + k) % pes), k);
    CHECK(shmemx_rpc_wait_all(events, EVENTS, results) >= 0);
    for (int k = 0; k < EVENTS; k++) CHECK(results[k] == 100 * ((me + k) % pes) + k);
    for (int k = 0; k < EVENTS; k++) events[k] = sum_async(shmem_ptr(&data, (me + k) % pes), k);
    for (int k = 0; k < EVENTS; k++) {
        size_t which = shmemx_rpc_wait_any(events, EVENTS, &result);
        CHECK(which < EVENTS && result == 100 * ((me + (int)which) % pes) + (int)which);
        seen |= 1 << which;
    }
    CHECK(seen == (1 << EVENTS) - 1 && shmemx_rpc_wait_any(events, EVENTS, NULL) == SIZE_MAX);
    CHECK(shmemx_rpc_test_all(events, EVENTS) == 1);
}

int main(void) {
    test_begin();
    data = 100 * me;
    wide_data = (long long)me << 40;
    shmem_barrier_all();
    in_rounds();
    any_and_all();
    shmem_barrier_all(); // what was posted has come, and is run before this PE does anything else
    CHECK(counts[left_of(me)] == ROUNDS);
    int results[16];
    CHECK(shmemx_rpc_team(SHMEM_TEAM_WORLD, results, sum, &data, me) >= 0);
    for (int pe = 0; pe < pes; pe++) CHECK(results[pe] == 100 * pe + me);
    int next = right_of(me);
    for (int i = 0; i < ROUNDS; i++) pass_on_rpc(shmem_ptr(passed, next), me, shmem_ptr(&passed[0], right_of(next)));
    shmem_barrier_all();
    shmem_barrier_all();
    shmemx_rpc_counters_t counters;
    shmemx_rpc_get_counters(&counters);
    CHECK(pes == 1 || counters.sent + counters.run_by_caller > 3 * ROUNDS);
    // Each has been told of by its neighbour's call and by the one that this has passed on.
    for (int pe = 0; pe < pes; pe++) {
        int expected = ((pe + 1) % pes == me ? ROUNDS : 0) + ((pe + 2) % pes == me ? ROUNDS : 0);
        for (int tries = 0; tries < 10000 && *(volatile int *)&passed[pe] != expected; tries++) continue;
        CHECK(passed[pe] == expected);
    }
    return test_end();
}
