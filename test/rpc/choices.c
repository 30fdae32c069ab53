// SPDX-License-Identifier: BSD-3-Clause
// Every PE calls every other in all classes, under all policies, waited for, posted, later, with a block, and masks, defers and
// polls in between, in an order of its own: each call that was not refused runs once, wherever, with its arguments.
// pes: 1 2 3 4 7 8 16
#include "rpc.h"

#if SKERRY_CALL_RINGS
SHMEMX_RPC_DEPTH(3)
#define ROUNDS 150
#else
#define ROUNDS 2000
#endif
#define BYTES 40

static long totals[2]; // calls, and their values
static long calls, sum;

static long add(long *at, long value) {
    add_to(&at[0], 1);
    add_to(&at[1], value);
    return value + 1;
}
RPC(add)

static long add_block(long *at, const void *block, size_t bytes, long value) {
    bool right = test_first_wrong(block, bytes, (uint64_t)value) == bytes;
    return add(at, right ? value : -1000000);
}
RPC_BLOCK(add_block)

static void note(int status, long value) {
    if (status == SHMEMX_RPC_REFUSED) return;
    REQUIRE(status >= 0, "status %d", status);
    calls++;
    sum += value;
}

static void call_and_wait(long *at, long value, bool has_block) {
    unsigned char block[BYTES];
    test_fill(block, BYTES, (uint64_t)value);
    long result = has_block ? add_block_rpc(at, block, BYTES, value) : add_rpc(at, value);
    int status = shmemx_rpc_status();
    if (status != SHMEMX_RPC_REFUSED) REQUIRE(result == value + 1, "result %ld of %ld", result, value);
    note(status, value);
}

static void call_later(long *at, long value, bool has_block) {
    unsigned char block[BYTES];
    long result = 0;
    test_fill(block, BYTES, (uint64_t)value);
    shmemx_rpc_event_t event =
        has_block ? shmemx_rpc_async(add_block, at, block, (size_t)BYTES, value) : shmemx_rpc_async(add, at, value);
    memset(block, 0, sizeof block);
    int status = shmemx_rpc_wait(&event, &result);
    if (status != SHMEMX_RPC_REFUSED) REQUIRE(result == value + 1, "result %ld of %ld", result, value);
    note(status, value);
}

static void post(long *at, long value, bool has_block) {
    unsigned char block[BYTES];
    test_fill(block, BYTES, (uint64_t)value);
    note(has_block ? shmemx_rpc_post(add_block, at, block, (size_t)BYTES, value) : shmemx_rpc_post(add, at, value),
         value);
    memset(block, 0, sizeof block);
}

static void call_one(uint64_t *random) {
    int pe = test_below(random, 2) ? 0 : (int)test_below(random, (size_t)pes); // the first one has most
    if (pe == me) return;                                                      // a plain call has no status
    long value = (long)test_below(random, 1000), *at = address_at(totals, pe);
    bool has_block = test_below(random, 3) == 0;
    shmemx_rpc_class((int)test_below(random, 3));
    shmemx_rpc_when_full((int)test_below(random, 3));
    size_t kind = test_below(random, 3);
    if (kind == 0) call_and_wait(at, value, has_block);
    else if (kind == 1) call_later(at, value, has_block);
    else
        for (size_t i = 0; i < 4; i++) post(at, value + (long)i, has_block);
}

static void compute(size_t steps) {
    for (volatile size_t i = 0; i < steps; i++) continue;
}

// While a PE leaves calls where they are, it waits for nobody: others may wait for it.
static void leave_them(uint64_t *random) {
    int class = (int)test_below(random, 3);
    bool masks = test_below(random, 2);
    if (masks) shmemx_rpc_mask();
    else REQUIRE(shmemx_rpc_defer(class) == SHMEMX_RPC_NONE, "something was deferred");
    compute(test_below(random, 100));
    if (pes > 1 && test_below(random, 2)) {
        shmemx_rpc_class(SHMEMX_RPC_NORMAL);
        bool refuses = test_below(random, 2) || is_far(right_of(me)); // a call to a far PE would wait, and not run here
        shmemx_rpc_when_full(refuses ? SHMEMX_RPC_REFUSE : SHMEMX_RPC_RUN);
        post(address_at(totals, right_of(me)), 7, test_below(random, 2));
    }
    if (test_below(random, 3) == 0) REQUIRE(shmemx_rpc_poll() >= 0, "poll");
    compute(test_below(random, 100));
    if (masks) shmemx_rpc_unmask();
    else REQUIRE(shmemx_rpc_defer(SHMEMX_RPC_NONE) == class, "another class was deferred");
}

int main(void) {
    test_begin();
    shmem_barrier_all();
    uint64_t random = (uint64_t)me + 1;
    for (int i = 0; i < ROUNDS; i++) {
        call_one(&random);
        if (test_below(&random, 4) == 0) leave_them(&random);
    }
    // What was posted has run when a later call of its class has.
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    for (int class = SHMEMX_RPC_URGENT; class <= SHMEMX_RPC_BACKGROUND; class ++) {
        shmemx_rpc_class(class);
        for (int pe = 0; pe < pes; pe++)
            if (pe != me) call_and_wait(address_at(totals, pe), 0, false);
    }
    static long mine[2], all[2], seen[2];
    mine[0] = calls, mine[1] = sum;
    shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, all, mine, 2);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, seen, totals, 2);
    REQUIRE(seen[0] == all[0] && seen[1] == all[1], "%ld calls with sum %ld, not %ld with %ld", seen[0], seen[1],
            all[0], all[1]);
    return test_end();
}
