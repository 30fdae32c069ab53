// SPDX-License-Identifier: BSD-3-Clause
// Asynchronous calls: wait, test, any, all; ended in any order.
// ways: 64:4:tcp
#include "rpc.h"

#define CALLS (SHMEMX_RPC_EVENTS < 40 ? SHMEMX_RPC_EVENTS : 40)

static long base[1];

static double scale(long *at, int number, double by) {
    return (double)(*localize(at) + number) * by;
}
RPC_ASYNC(scale, (long *at, int number, double by), (at, number, by))

static void touch(long *at) {
    add_to(at, 1);
}
RPC(touch)

static double expected(int pe, int number) {
    return (1000.0 * pe + number) * 0.5;
}

static int target_of(int number) {
    return (me + number) % pes;
}

static void begin_calls(shmemx_rpc_event_t *events) {
    for (int i = 0; i < CALLS; i++) {
        events[i] = scale_async(address_at(base, target_of(i)), i, 0.5);
        REQUIRE(events[i].number != 0, "call %d was refused", i);
    }
}

static void require_result(int number, int status, double result) {
    bool is_own = target_of(number) == me;
    REQUIRE(status == (is_own ? SHMEMX_RPC_RUN_BY_CALLER : SHMEMX_RPC_SERVED) || status == SHMEMX_RPC_RUN_BY_CALLER,
            "call %d: status %d", number, status);
    REQUIRE(status == shmemx_rpc_status(), "shmemx_rpc_status says %d, not %d", shmemx_rpc_status(), status);
    REQUIRE(result == expected(target_of(number), number), "call %d: %g", number, result);
}

static void wait_backwards(void) {
    shmemx_rpc_event_t events[CALLS];
    begin_calls(events);
    for (int i = CALLS - 1; i >= 0; i--) {
        double result = 0;
        int status = shmemx_rpc_wait(&events[i], &result);
        require_result(i, status, result);
        REQUIRE(events[i].number == 0, "a waited event is still there");
    }
}

static void test_until_ended(void) {
    shmemx_rpc_event_t events[CALLS];
    int left = CALLS;
    begin_calls(events);
    bool ended[CALLS] = {false};
    while (left)
        for (int i = 0; i < CALLS; i++) {
            double result = 0;
            if (ended[i] || !shmemx_rpc_test(&events[i], &result)) continue;
            require_result(i, shmemx_rpc_status(), result);
            ended[i] = true;
            left--;
        }
}

static void any_of_them(bool waits) {
    shmemx_rpc_event_t events[CALLS];
    bool ended[CALLS] = {false};
    begin_calls(events);
    for (int left = CALLS; left;) {
        double result = 0;
        size_t i = waits ? shmemx_rpc_wait_any(events, CALLS, &result) : shmemx_rpc_test_any(events, CALLS, &result);
        if (i == SIZE_MAX && !waits) continue;
        REQUIRE(i < CALLS && !ended[i], "event %zu ended twice, or is none", i);
        require_result((int)i, shmemx_rpc_status(), result);
        ended[i] = true;
        left--;
    }
    REQUIRE(shmemx_rpc_wait_any(events, CALLS, NULL) == SIZE_MAX, "wait_any of no open event");
    REQUIRE(shmemx_rpc_test_any(events, CALLS, NULL) == SIZE_MAX, "test_any of no open event");
    REQUIRE(shmemx_rpc_wait_any(NULL, 0, NULL) == SIZE_MAX, "wait_any of nothing");
}

static void all_of_them(void) {
    shmemx_rpc_event_t events[CALLS];
    double results[CALLS];
    begin_calls(events);
    while (!shmemx_rpc_test_all(events, CALLS)) continue;
    REQUIRE(events[0].number != 0, "test_all has ended an event");
    REQUIRE(shmemx_rpc_wait_all(events, CALLS, results) >= 0, "status %d", shmemx_rpc_status());
    for (int i = 0; i < CALLS; i++) REQUIRE(results[i] == expected(target_of(i), i), "call %d: %g", i, results[i]);
    REQUIRE(shmemx_rpc_test_all(events, CALLS) == 1 && shmemx_rpc_wait_all(events, CALLS, results) == 0, "ended ones");
}

static void without_result(void) {
    static long touched;
    shmemx_rpc_event_t events[CALLS];
    for (int i = 0; i < CALLS; i++) events[i] = shmemx_rpc_async(touch, address_at(&touched, target_of(i)));
    REQUIRE(shmemx_rpc_wait_all(events, CALLS, NULL) == 0, "status %d", shmemx_rpc_status());
    events[0] = shmemx_rpc_async(scale, address_at(base, right_of(me)), 3, 2.0);
    REQUIRE(shmemx_rpc_wait(&events[0], NULL) >= 0, "a result that nobody wants");
    shmem_barrier_all();
    REQUIRE(touched == CALLS, "touched %ld times", touched);
}

int main(void) {
    test_begin();
    base[0] = 1000L * me;
    shmem_barrier_all();
    wait_backwards();
    test_until_ended();
    any_of_them(true);
    any_of_them(false);
    all_of_them();
    without_result();
    shmemx_rpc_event_t none = SHMEMX_RPC_EVENT_NONE;
    REQUIRE(shmemx_rpc_wait(&none, NULL) == SHMEMX_RPC_REFUSED, "wait for no event");
    REQUIRE(shmemx_rpc_test(&none, NULL) == 1 && shmemx_rpc_status() == SHMEMX_RPC_REFUSED, "test of no event");
    return test_end();
}
