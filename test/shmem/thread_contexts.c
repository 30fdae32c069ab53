// SPDX-License-Identifier: BSD-3-Clause
// Threads make, use and destroy contexts at the same time: private ones, serialized ones, and one that all share; a quiet
// on a shared context completes every thread's operations.
// threads: yes
// pes: 1 2 4 8
// ways: 4:2:remote 64:4:tcp
#include "threads.h"

#define ROUNDS 500

static shmem_ctx_t shared;
static long box[THREADS], shared_box[THREADS][ROUNDS];
static pthread_barrier_t gate;

static void work(int number) {
    for (long round = 0; round < ROUNDS; round++) {
        shmem_ctx_t ctx;
        long options = round % 2 ? SHMEM_CTX_PRIVATE : number % 2 ? SHMEM_CTX_SERIALIZED : 0;
        REQUIRE(shmem_ctx_create(options, &ctx) == 0, "thread %d: no context", number);
        long value = round * 1000 + me * 10 + number, back = -1;
        shmem_ctx_long_put_nbi(ctx, &box[number], &value, 1, right_of(me));
        shmem_ctx_quiet(ctx);
        shmem_ctx_long_get_nbi(ctx, &back, &box[number], 1, right_of(me));
        shmem_ctx_destroy(ctx);
        REQUIRE(back == value, "thread %d, round %ld: %ld came back, not %ld", number, round, back, value);
        shmem_ctx_long_p(shared, &shared_box[number][round], value, right_of(me));
    }
    pthread_barrier_wait(&gate);
    if (number == 0) shmem_ctx_quiet(shared); // for all of them
    pthread_barrier_wait(&gate);
}

int main(void) {
    test_begin_threads();
    pthread_barrier_init(&gate, NULL, THREADS);
    REQUIRE(shmem_ctx_create(0, &shared) == 0, "no context");
    shmem_barrier_all();
    test_run_threads(work);
    shmem_sync_all();
    for (int i = 0; i < THREADS; i++)
        for (long round = 0; round < ROUNDS; round++)
            REQUIRE(shared_box[i][round] == round * 1000 + left_of(me) * 10 + i,
                    "thread %d, round %ld on a shared context", i, round);
    shmem_ctx_destroy(shared);
    pthread_barrier_destroy(&gate);
    return test_end();
}
