// SPDX-License-Identifier: BSD-3-Clause
// The number of an event has 16 bits: asynchronous calls go on when it has passed the last one, to this PE itself and to another,
// and the handle of an element's next call is another than that of the call before.
#include "check.h"

#define UNTIL_IT_WRAPS 65536
#define CALLS_ACROSS 8 // before and after the last number

static int data;

static int sum(int *p, int x) {
    return *localize(p) + x;
}
RPC_ASYNC(sum, (int *p, int x), (p, x))

static unsigned handle_before;

static void call(int *there, int pe, int x) {
    int result = 0;
    shmemx_rpc_event_t event = sum_async(there, x);
    CHECK(event.number != 0 && event.number != handle_before);
    handle_before = event.number;
    CHECK(shmemx_rpc_wait(&event, &result) >= 0 && result == 1000 * pe + x);
}

int main(void) {
    test_begin();
    data = 1000 * me;
    shmem_barrier_all();
    int *there = shmem_ptr(&data, right_of(me));
    for (int i = 0; me == 0 && i < UNTIL_IT_WRAPS - CALLS_ACROSS; i++) call(&data, me, i & 0xff);
    for (int i = 0; me == 0 && i < CALLS_ACROSS; i++) {
        call(&data, me, i);
        call(there, right_of(me), i);
    }
    CHECK(me != 0 || handle_before >> 16 < 2 * CALLS_ACROSS);
    shmem_barrier_all();
    return test_end();
}
