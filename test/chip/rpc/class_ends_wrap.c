// SPDX-License-Identifier: BSD-3-Clause
// The ends of the rings of urgent and of background calls, which never start anew, pass their last number: no call is lost or run
// twice, neither of a few that are waited for nor of as many as fill the ring.
#include <skerry/rpc/ring/ring.h>

#include "check.h"

SHMEMX_RPC_DEPTH(15)

#define DEPTH 15
#define BEFORE_WRAP 5 // calls

// As in rpc_class.c.
extern struct {
    struct {
        volatile uint32_t tail, head;
    } of[3];
    volatile uint32_t limit, dozes;
} skerry_rpc_rings;

static int counts[16], sums[16];

static int count(int *all, int who) {
    return ++localize(all)[who];
}
RPC(count)

static void start_at(uint32_t calls_before_wrap) {
    static const int classes[] = {SHMEMX_RPC_URGENT, SHMEMX_RPC_BACKGROUND};
    for (int i = 0; i < 2; i++)
        skerry_rpc_rings.of[classes[i]].tail = skerry_rpc_rings.of[classes[i]].head =
            0u - calls_before_wrap * SKERRY_RPC_ONE;
}

static void require_wrapped(int class) {
    CHECK(skerry_rpc_rings.of[class].tail == skerry_rpc_rings.of[class].head);
    CHECK(skerry_rpc_rings.of[class].tail > 0 && skerry_rpc_rings.of[class].tail < 1000 * SKERRY_RPC_ONE);
}

// Each PE calls the next.
static void call_and_wait(int class) {
    start_at(BEFORE_WRAP);
    int before = sums[left_of(me)];
    shmem_barrier_all();
    shmemx_rpc_class(class);
    int *there = shmem_ptr(sums, right_of(me)), first = count_rpc(there, me);
    for (int i = 1; i < 3 * BEFORE_WRAP; i++) CHECK(count_rpc(there, me) == first + i);
    shmemx_rpc_class(SHMEMX_RPC_NORMAL);
    shmem_barrier_all();
    CHECK(sums[left_of(me)] == before + 3 * BEFORE_WRAP);
    require_wrapped(class);
}

// All fill the ring of PE 0 while it leaves its calls there.
static void fill(int class) {
    int each = DEPTH / (pes - 1);
    start_at(BEFORE_WRAP);
    for (int pe = 0; pe < pes; pe++) counts[pe] = 0;
    if (me == 0) CHECK(shmemx_rpc_defer(SHMEMX_RPC_URGENT) == SHMEMX_RPC_NONE);
    shmem_barrier_all();
    shmemx_rpc_class(class);
    for (int i = 0; me != 0 && i < each; i++)
        CHECK(shmemx_rpc_post(count, shmem_ptr(counts, 0), me) == SHMEMX_RPC_SERVED);
    shmemx_rpc_class(SHMEMX_RPC_NORMAL);
    shmem_barrier_all();
    if (me == 0) CHECK(counts[1] == 0 && shmemx_rpc_defer(SHMEMX_RPC_NONE) == SHMEMX_RPC_URGENT);
    for (int pe = 1; me == 0 && pe < pes; pe++) CHECK(counts[pe] == each);
    if (me == 0) require_wrapped(class);
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    if (pes == 1) return test_end();
    call_and_wait(SHMEMX_RPC_URGENT);
    call_and_wait(SHMEMX_RPC_BACKGROUND);
    fill(SHMEMX_RPC_URGENT);
    fill(SHMEMX_RPC_BACKGROUND);
    return test_end();
}
