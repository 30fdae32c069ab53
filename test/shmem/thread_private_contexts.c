// SPDX-License-Identifier: BSD-3-Clause
// Each thread has contexts of its own, private or serialized, and puts, adds and fetches on them, with fences and quiets. What
// a thread has completed by the quiet of its context is visible to a third PE, also while other threads' contexts have
// operations under way, small and large.
// threads: yes
// pes: 1 2 4 8
// ways: 4:2:remote
#include "threads.h"

#define ROUNDS 300
#define LARGE 20000 // words: some puts are large transfers

// A round uses the words of index round % 2, because a PE can be one round ahead.
static long word[THREADS][2], flag[THREADS][2], sum[THREADS], told[THREADS], done[THREADS];
static long large[THREADS][2][LARGE];

// PE i writes to PE i + 1 and tells PE i + 2, which looks at PE i + 1.
static void work(int number) {
    static long source[THREADS][LARGE];
    const int target = right_of(me), third = right_of(target), from = left_of(me), origin = left_of(from);
    shmem_ctx_t first, second;
    REQUIRE(shmem_ctx_create(SHMEM_CTX_PRIVATE, &first) == 0, "no context");
    REQUIRE(shmem_ctx_create(number % 2 ? SHMEM_CTX_SERIALIZED : 0, &second) == 0, "no context");
    for (long round = 1; round <= ROUNDS; round++) {
        const bool is_large = round % 20 == number;
        const long value = round * 1000 + me, which = round % 2;
        shmem_ctx_t ctx = round % 3 ? first : second, other = round % 3 ? second : first;
        for (int i = 0; i < LARGE && is_large; i++) source[number][i] = value + i;
        if (is_large) shmem_ctx_long_put_nbi(ctx, large[number][which], source[number], LARGE, target);
        shmem_ctx_long_p(ctx, &word[number][which], value, target);
        shmem_ctx_long_atomic_add(other, &sum[number], 1, target);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_p(ctx, &flag[number][which], round, target);
        if (round % 2) shmem_ctx_quiet(ctx);
        else shmem_ctx_pe_quiet(ctx, &target, 1);
        shmem_long_p(&told[number], round, third);
        shmem_long_wait_until(&told[number], SHMEM_CMP_GE, round);
        REQUIRE(shmem_ctx_long_g(other, &word[number][which], from) == round * 1000 + origin,
                "thread %d, round %ld: a word that was announced after the context's quiet is not there", number,
                round);
        REQUIRE(shmem_ctx_long_g(ctx, &flag[number][which], from) == round, "thread %d, round %ld: the flag", number,
                round);
        if (is_large)
            REQUIRE(shmem_ctx_long_g(other, &large[number][which][LARGE - 1], from) ==
                        round * 1000 + origin + LARGE - 1,
                    "thread %d, round %ld: the end of a large put", number, round);
        shmem_long_p(&done[number], round, from);
        shmem_long_wait_until(&done[number], SHMEM_CMP_GE, round); // the words of this round have been read
    }
    shmem_ctx_destroy(first);
    shmem_ctx_destroy(second);
}

int main(void) {
    test_begin_threads();
    shmem_barrier_all();
    test_run_threads(work);
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++)
        REQUIRE(sum[i] == ROUNDS, "thread %d: %ld additions on the other context", i, sum[i]);
    return test_end();
}
