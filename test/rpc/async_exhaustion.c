// SPDX-License-Identifier: BSD-3-Clause
// As many asynchronous calls as there are events, and one more, which is refused; a waiting call with none free is run by
// its caller, or has no need of one; all come back.
#include "rpc.h"

#define EVENTS SHMEMX_RPC_EVENTS

#if SKERRY_CALL_RINGS
#define NEEDS_EVENT 0
#else
#define NEEDS_EVENT 1
#endif

static long calls;

static long count(long *at, long number) {
    add_to(at, 1);
    return number * 3;
}
RPC_ASYNC(count, (long *at, long number), (at, number))

static void use_all_events(long *at, int status_of_more) {
    static shmemx_rpc_event_t events[EVENTS];
    for (long i = 0; i < EVENTS; i++) {
        events[i] = count_async(at, i);
        REQUIRE(events[i].number, "event %ld was refused", i);
    }
    shmemx_rpc_event_t more = count_async(at, 7);
    REQUIRE(!more.number, "event %d was given", EVENTS + 1);
    REQUIRE(shmemx_rpc_wait(&more, NULL) == SHMEMX_RPC_REFUSED, "its status is %d", shmemx_rpc_status());
    REQUIRE(count_rpc(at, 5) == 15, "a waiting call when no event is free");
    if (pes > 1 && NEEDS_EVENT) REQUIRE(shmemx_rpc_status() == status_of_more, "it ended with %d", shmemx_rpc_status());
    for (long i = EVENTS - 1; i >= 0; i--) {
        long result = 0;
        REQUIRE(shmemx_rpc_wait(&events[i], &result) >= 0 && result == 3 * i, "call %ld gave %ld", i, result);
    }
}

int main(void) {
    test_begin();
    int status_of_more = is_far(right_of(me)) ? SHMEMX_RPC_SERVED : SHMEMX_RPC_RUN_BY_CALLER;
    for (int round = 0; round < 3; round++) use_all_events(address_at(&calls, right_of(me)), status_of_more);
    shmem_barrier_all();
    REQUIRE(calls == 3 * (EVENTS + 1), "%ld calls", calls);
    return test_end();
}
