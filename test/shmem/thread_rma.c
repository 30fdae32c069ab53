// SPDX-License-Identifier: BSD-3-Clause
// Threads of every PE put, get, add and signal at once, each on its own part and all on shared counters: nothing is lost,
// and what a thread has quieted is there.
// threads: yes
// pes: 1 2 4 8
// ways: 4:2:remote 64:4:tcp
#include "threads.h"

#define ROUNDS 1000
#define WORDS 50
#define ADDITIONS 20000

static long box[THREADS][WORDS];
static long shared_sum, owned_sum[THREADS];
static uint64_t signals[THREADS];

static void work(int number) {
    long values[WORDS], back[WORDS];
    int to = right_of(me);
    for (long round = 1; round <= ROUNDS; round++) {
        for (long i = 0; i < WORDS; i++) values[i] = round * 1000000 + me * 10000 + number * 100 + i;
        if (round % 2) shmem_long_put(box[number], values, WORDS, to);
        else shmem_long_put_nbi(box[number], values, WORDS, to);
        shmem_quiet();
        shmem_long_get(back, box[number], WORDS, to);
        for (int i = 0; i < WORDS; i++)
            REQUIRE(back[i] == values[i], "thread %d, round %ld: word %d is %ld", number, round, i, back[i]);
        shmem_long_atomic_add(&shared_sum, 1, 0);
        (void)shmem_long_atomic_fetch_add(&owned_sum[number], 3, to);
        shmem_signal_add(&signals[number], 1, to);
    }
    for (int i = 0; i < ADDITIONS; i++) shmem_long_atomic_add(&shared_sum, 1, 0);
    shmem_quiet();
}

int main(void) {
    test_begin_threads();
    shmem_barrier_all();
    test_run_threads(work);
    shmem_barrier_all();
    if (me == 0)
        REQUIRE(shared_sum == (long)THREADS * (ROUNDS + ADDITIONS) * pes, "additions of threads were lost: %ld",
                shared_sum);
    for (int i = 0; i < THREADS; i++) {
        REQUIRE(owned_sum[i] == 3 * ROUNDS, "thread %d: sum is %ld", i, owned_sum[i]);
        REQUIRE(signals[i] == ROUNDS, "thread %d: signal is %llu", i, (unsigned long long)signals[i]);
        REQUIRE(box[i][0] == ROUNDS * 1000000L + left_of(me) * 10000 + i * 100, "thread %d: last put", i);
    }
    return test_end();
}
