// SPDX-License-Identifier: BSD-3-Clause
// Queues of any depth, under every policy: what finds no room is run by its caller, waits or is refused, and no call is
// lost or runs twice. All call PE 0, then all call all.
#include "rpc.h"

#define CALLS 200

static long add(long *at, long value) {
    add_to(at, 1);
    add_to(&at[1], value);
    return value + 1;
}
RPC_ASYNC(add, (long *at, long value), (at, value))

static long *counts; // calls, sum of values

struct tally {
    long done, sum, refused;
};

static void note(struct tally *tally, int status, long value, long result) {
    if (status == SHMEMX_RPC_REFUSED) {
        tally->refused++;
        return;
    }
    REQUIRE(status == SHMEMX_RPC_SERVED || status == SHMEMX_RPC_RUN_BY_CALLER, "status %d", status);
    REQUIRE(result == value + 1, "result %ld of %ld", result, value);
    tally->done++;
    tally->sum += value;
}

// One call in each of the three ways.
static void call_once(struct tally *tally, int pe, long value) {
    long *at = address_at(counts, pe);
    long result = add_rpc(at, value);
    if (pe != me) note(tally, shmemx_rpc_status(), value, result);
    else note(tally, SHMEMX_RPC_RUN_BY_CALLER, value, result); // a plain call has no status
    shmemx_rpc_event_t event = add_async(at, value);
    result = value + 1;
    int status = shmemx_rpc_wait(&event, &result);
    note(tally, status, value, status < 0 ? 0 : result);
    note(tally, add_post(at, value), value, value + 1);
}

static void require_counts(int first, const struct tally *mine) {
    static long done, values, total_done, total_sum;
    done = mine->done;
    values = mine->sum;
    shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total_done, &done, 1);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total_sum, &values, 1);
    long seen = 0, seen_sum = 0;
    for (int pe = 0; pe < (first ? 1 : pes); pe++) {
        // Posted calls may still be on their way: this one comes after them.
        while (me != pe && add_rpc(address_at(counts, pe), 0) != 1) continue;
    }
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) {
        seen += shmem_long_atomic_fetch(&counts[0], pe);
        seen_sum += shmem_long_atomic_fetch(&counts[1], pe);
    }
    REQUIRE(seen_sum == total_sum, "sum %ld, not %ld", seen_sum, total_sum);
    REQUIRE(seen >= total_done, "%ld calls have run, not %ld", seen, total_done);
    shmem_barrier_all();
    counts[0] = counts[1] = 0;
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    counts = shmem_calloc(2, sizeof *counts);
    for (int policy = SHMEMX_RPC_RUN; policy <= SHMEMX_RPC_REFUSE; policy++) {
        shmemx_rpc_when_full(policy);
        struct tally to_one = {0}, to_all = {0};
        for (long i = 0; i < CALLS; i++) call_once(&to_one, 0, i);
        shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
        require_counts(1, &to_one);
        shmemx_rpc_when_full(policy);
        for (long i = 0; i < CALLS; i++) call_once(&to_all, (int)((me + i) % pes), i);
        shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
        require_counts(0, &to_all);
        bool may_refuse = policy == SHMEMX_RPC_REFUSE;
        REQUIRE(may_refuse || to_one.refused + to_all.refused == 0, "policy %d refused", policy);
        REQUIRE(may_refuse || to_one.done + to_all.done == 6 * CALLS, "policy %d: %ld", policy, to_one.done);
    }
    return test_end();
}
