// SPDX-License-Identifier: BSD-3-Clause
// Calls whose answers are waited for later, or not at all, beside such as are waited for.
#include <skerry/rpc/ring/ring.h>

#include "check.h"

#define CALLS 40
#define EVENTS 4

static int counts[16];
static struct skerry_rpc_event events[EVENTS];

static int count(int *all, int who, int add) {
    all = localize(all);
    return all[who] += add;
}
RPC(count)

static bool push(int pe, int add, struct skerry_rpc_event *event) {
    struct skerry_rpc_call call = {
        .arguments = {{(uint32_t)(uintptr_t)shmem_ptr(counts, pe), (uint32_t)me, (uint32_t)add}},
        .function = (uintptr_t)count,
        .event = event ? shmem_ptr(event, me) : NULL};
    return skerry_rpc_push(&call, pe);
}

static int result_of(const struct skerry_rpc_event *event) {
    int result;
    skerry_call_result(&event->results, SKERRY_CALL_INTEGER, &result, sizeof result);
    return result;
}

int main(void) {
    test_begin();
    shmem_barrier_all();
    int expected = 0, pe = right_of(me);
    for (int i = 0; i < CALLS; i++) {
        int begun = 0, before = expected;
        for (int k = 0; k < EVENTS; k++) {
            events[k].done = 0;
            if (push(pe, 1, &events[k])) begun |= 1 << k, expected++;
        }
        while (!push(pe, 100, NULL)) continue;
        expected += 100;
        for (int k = 0; k < EVENTS; k++) {
            if (!(begun >> k & 1)) continue;
            while (!events[k].done) continue;
            CHECK(result_of(&events[k]) > before && result_of(&events[k]) <= expected);
        }
        shmem_barrier_all();
        while (skerry_rpc.gate) continue; // until this PE has run all
        shmem_barrier_all();
        CHECK(count_rpc(shmem_ptr(counts, pe), me, 0) == expected);
    }
    return test_end();
}
