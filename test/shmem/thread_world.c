// SPDX-License-Identifier: BSD-3-Clause
// One thread runs barriers and allocations of all PEs, another active sets, while the rest put and add: blocking calls
// block only their own thread.
// threads: yes
// pes: 2 3 4 8
#include "threads.h"

static long work_array[SHMEM_BARRIER_SYNC_SIZE], broadcast_array[SHMEM_BCAST_SYNC_SIZE];
static long sum, traffic[THREADS];
static long source, result;

static void barriers(int rounds) {
    for (int round = 0; round < rounds; round++) {
        shmem_long_p(&sum, round, right_of(me));
        shmem_barrier_all();
        REQUIRE(sum == round, "round %d: barrier_all left a put behind: %ld", round, sum);
        shmem_barrier_all();
        void *block = shmem_malloc(1000);
        REQUIRE(block, "no memory");
        shmem_free(block);
    }
}

static void active_sets(int rounds) {
    for (int round = 0; round < rounds; round++) {
        int root = round % pes;
        source = round * 10 + me;
        result = -1;
        shmem_barrier(0, 0, pes, work_array);
        shmem_broadcast64(&result, &source, 1, root, 0, 0, pes, broadcast_array);
        REQUIRE(me == root || result == round * 10 + root, "round %d: broadcast gave %ld", round, result);
        shmem_barrier(0, 0, pes, work_array);
    }
}

static void work(int number) {
    int rounds = test_rounds(1000);
    if (number == 0) barriers(rounds);
    if (number == 1) active_sets(rounds);
    for (int i = 0; i < 3000 && number > 1; i++) shmem_long_atomic_inc(&traffic[number], right_of(me));
    shmem_quiet();
}

int main(void) {
    test_begin_threads();
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) work_array[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++) broadcast_array[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    test_run_threads(work);
    shmem_barrier_all();
    REQUIRE(traffic[2] == 3000 && traffic[3] == 3000, "additions are missing");
    return test_end();
}
