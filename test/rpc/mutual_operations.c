// SPDX-License-Identifier: BSD-3-Clause
// Remote procedures of all PEs do atomic operations, gets and quiets on each other's PEs at the same time: none waits for one that
// waits for it, and each gets its own results.
// pes: 2 3 4 16
// skip: epiphany
#include "rpc.h"

enum { posted = 20 };

static long sums[2], numbers[300];

// Returns the number of wrong results.
static long work(long *at, long *sum, long *others, long *back) {
    (void)at;
    const int pe = shmemx_owner(sum), caller = shmemx_owner(back);
    static long copy[300]; // a PE runs one function at a time
    long wrong = 0;
    for (int i = 0; i < posted; i++) shmem_long_atomic_add(sum, 1, pe);
    shmem_quiet();
    wrong += shmem_long_atomic_fetch(sum, pe) < posted;
    for (int i = 0; i < posted; i++) {
        shmem_long_atomic_inc(back, caller);
        wrong += shmem_long_g(&others[i], pe) != 1000 * pe + i;
    }
    shmem_long_get(copy, others, 300, pe);
    for (int i = 0; i < 300; i++) wrong += copy[i] != 1000 * pe + i;
    for (int i = 0; i < posted; i++) shmem_long_atomic_inc(back, caller);
    shmem_fence();
    shmem_quiet();
    return wrong;
}
RPC_ASYNC(work, (long *at, long *sum, long *others, long *back), (at, sum, others, back))

int main(void) {
    test_begin();
    const int rounds = test_rounds(30);
    for (int i = 0; i < 300; i++) numbers[i] = 1000 * me + i;
    shmem_barrier_all();
    for (int i = 0; i < rounds; i++) {
        const int there = (me + 1 + i % (pes > 1 ? pes - 1 : 1)) % pes, next = (there + 1) % pes;
        long wrong = -1;
        shmemx_rpc_event_t event = work_async(address_at(numbers, there), address_at(&sums[0], next),
                                              address_at(numbers, next), address_at(&sums[1], me));
        for (int j = 0; j < posted; j++) shmem_long_atomic_inc(&sums[1], me);
        REQUIRE(shmemx_rpc_wait(&event, &wrong) >= 0 && wrong == 0, "%ld wrong results", wrong);
    }
    shmem_barrier_all();
    REQUIRE(sums[1] == 3L * posted * rounds, "%ld, not %ld", sums[1], 3L * posted * rounds);
    long all = 0;
    for (int pe = 0; pe < pes; pe++) all += shmem_long_atomic_fetch(&sums[0], pe);
    REQUIRE(all == (long)posted * rounds * pes, "%ld of %ld", all, (long)posted * rounds * pes);
    return test_end();
}
