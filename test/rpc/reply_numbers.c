// SPDX-License-Identifier: BSD-3-Clause
// A served call returns its own result however many calls were made since the last served one that had no reply: to the caller
// itself, refused because the queue was full, or run by the caller. Their number is such that a count of 16 bits, which leaves out 0,
// has come round to where it was. (On a chip replies have no numbers, and the program makes fewer calls.)
// pes: 2 3
#include "rpc.h"

#define UNTIL_IT_WRAPS TEST_SIZE(65534, 500)

static long own, value, released;

static long value_of(long *at, long add) {
    return *localize(at) + add;
}
RPC_ASYNC(value_of, (long *at, long add), (at, add))

static void wait_for(shmemx_rpc_event_t event, int wanted) {
    long result = 0;
    int status = shmemx_rpc_wait(&event, &result);
    REQUIRE(status == wanted, "status %d, not %d", status, wanted);
}

static void require_served(long *there, long add) {
    long result = value_of_rpc(there, add);
    REQUIRE(shmemx_rpc_status() == SHMEMX_RPC_SERVED, "status %d", shmemx_rpc_status());
    REQUIRE(result == 1000 + add, "a call returned %ld, not %ld", result, 1000 + add);
    shmemx_rpc_event_t event = value_of_async(there, add + 1);
    REQUIRE(shmemx_rpc_wait(&event, &result) == SHMEMX_RPC_SERVED, "status %d", shmemx_rpc_status());
    REQUIRE(result == 1000 + add + 1, "an asynchronous call returned %ld, not %ld", result, 1000 + add + 1);
}

// Calls to this PE itself.
static void call_own(void) {
    for (int i = 0; i < UNTIL_IT_WRAPS; i++) wait_for(value_of_async(&own, 0), SHMEMX_RPC_RUN_BY_CALLER);
}

// Calls that find the queue of PE 1 full, as long as it leaves its calls there.
static void call_full(long *there, int policy, int status) {
    shmemx_rpc_when_full(SHMEMX_RPC_REFUSE);
    shmem_long_wait_until(&released, SHMEM_CMP_NE, 0);
    while (shmemx_rpc_post(value_of, there, 0) == SHMEMX_RPC_SERVED) continue;
    shmemx_rpc_when_full(policy);
    for (int i = 0; i < UNTIL_IT_WRAPS / 2; i++) {
        (void)value_of_rpc(there, 0);
        REQUIRE(shmemx_rpc_status() == status, "status %d, not %d", shmemx_rpc_status(), status);
        wait_for(value_of_async(there, 0), status);
    }
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    released = 0;
    shmem_long_p(&released, 0, 1);
}

// PE 1, while PE 0 fills its queue.
static void keep_full(void) {
    released = 1;
    REQUIRE(shmemx_rpc_defer(SHMEMX_RPC_URGENT) == SHMEMX_RPC_NONE, "something was deferred");
    shmem_long_p(&released, 1, 0);
    shmem_long_wait_until(&released, SHMEM_CMP_EQ, 0);
    shmemx_rpc_defer(SHMEMX_RPC_NONE);
}

int main(void) {
    test_begin();
    long *there = address_at(&value, 1);
    value = 1000;
    shmem_barrier_all();
    if (me == 0) {
        require_served(there, 10);
        call_own();
        require_served(there, 20);
    }
    static long far; // whether PE 1 is far for PE 0
    for (int pe = 0; me == 0 && pe < pes; pe++) shmem_long_p(&far, is_far(1), pe);
    shmem_barrier_all();
    int first = far ? SHMEMX_RPC_REFUSE : SHMEMX_RPC_RUN; // a call to a far PE would wait, and not run here
    for (int policy = first; policy <= SHMEMX_RPC_REFUSE; policy += SHMEMX_RPC_REFUSE - SHMEMX_RPC_RUN) {
        int status = policy == SHMEMX_RPC_RUN ? SHMEMX_RPC_RUN_BY_CALLER : SHMEMX_RPC_REFUSED;
        shmem_barrier_all();
        if (me == 0) require_served(there, 30);
        shmem_barrier_all();
        if (me == 1) keep_full();
        if (me == 0) call_full(there, policy, status);
        shmem_barrier_all();
        if (me == 0) require_served(there, 40 + policy);
    }
    shmem_barrier_all();
    return test_end();
}
