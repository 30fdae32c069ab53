// SPDX-License-Identifier: BSD-3-Clause
// The ends of a ring of calls pass their last number: no call is lost or run twice. A function that serves sets the ends of its
// core's ring, which is empty, to some calls before that number, and lets the others fill the ring before it returns.
#include <shmemx.h>
#include <skerry/rpc/ring/ring.h>

#include "check.h"

SHMEMX_RPC_DEPTH(15)

#define DEPTH 15
#define PATIENCE 1000000 // looks

static int counts[16], go;

static void count(int *all, int who) {
    localize(all)[who]++;
}
RPC(count)

static void turn(int *unused, int calls, int before_wrap) {
    (void)unused;
    uint32_t first = (0u - (uint32_t)before_wrap * SKERRY_RPC_ONE) | SKERRY_RPC_AWAKE;
    uint32_t mask = skerry_take_lock(&skerry_rpc.lock);
    CHECK(skerry_rpc.tail == skerry_rpc.head);
    *(volatile skerry_two_words *)&skerry_rpc.tail = (uint64_t)first << 32 | first;
    skerry_compiler_fence();
    skerry_rpc.lock = 0;
    skerry_unmask_interrupts(mask);
    for (int pe = 1; pe < pes; pe++) shmem_int_p(&go, 1, pe);
    int looks = 0;
    while (skerry_rpc.tail - first != (uint32_t)calls * SKERRY_RPC_ONE && looks < PATIENCE) looks++;
    CHECK(looks < PATIENCE);
}
RPC(turn)

int main(void) {
    test_begin();
    int each = pes > 1 ? DEPTH / (pes - 1) : 0;
    for (int before_wrap = 0; before_wrap <= each * (pes - 1) && pes > 1; before_wrap++) {
        go = 0;
        shmem_barrier_all();
        if (me == 1)
            CHECK(shmemx_rpc_post(turn, shmem_ptr(&go, 0), each * (pes - 1), before_wrap) == SHMEMX_RPC_SERVED);
        if (me != 0) shmem_int_wait_until(&go, SHMEM_CMP_EQ, 1);
        for (int i = 0; me != 0 && i < each; i++)
            CHECK(shmemx_rpc_post(count, shmem_ptr(counts, 0), me) == SHMEMX_RPC_SERVED);
        shmem_barrier_all(); // what was posted has come, and is run before PE 0 does anything else
        for (int pe = 1; me == 0 && pe < pes; pe++) CHECK(counts[pe] == each * (before_wrap + 1));
        if (me == 0)
            CHECK(skerry_rpc.tail == 0 && skerry_rpc.head == 0 && skerry_rpc.lock == 0 && skerry_rpc.gate == 0);
        shmem_barrier_all();
    }
    return test_end();
}
