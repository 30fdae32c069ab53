// SPDX-License-Identifier: BSD-3-Clause
// Loops with every schedule, with and without nowait: each iteration runs once, chunks are as long as they must be, and a
// thread's iterations rise where that is promised.
#include "test.h"

#define MOST 1000

static int runs[MOST], runner[MOST];
static int threads;

static void forget(void) {
    memset(runs, 0, sizeof runs);
}

static void note(int i) {
    REQUIRE(i >= 0 && i < MOST, "iteration %d", i);
    test_add(&runs[i], 1);
    runner[i] = omp_get_thread_num();
}

static void all_once(const char *what, int count) {
    for (int i = 0; i < MOST; i++)
        REQUIRE(runs[i] == (i < count), "%s: iteration %d of %d ran %d times", what, i, count, runs[i]);
}

#define LOOP(name, schedule_clause, more)                                                                              \
    static void loop_##name(int count, int chunk) {                                                                    \
        (void)chunk;                                                                                                   \
        forget();                                                                                                      \
        _Pragma("omp parallel") {                                                                                      \
            int last = -1;                                                                                             \
            PRAGMA(omp for schedule_clause more)                                                                       \
            for (int i = 0; i < count; i++) {                                                                          \
                if (MONOTONIC_##name) REQUIRE(i > last, #name ": %d after %d", i, last);                               \
                last = i;                                                                                              \
                note(i);                                                                                               \
            }                                                                                                          \
        }                                                                                                              \
        all_once(#name, count);                                                                                        \
        if (CHUNKS_##name)                                                                                             \
            for (int i = 0; i < count; i++)                                                                            \
                REQUIRE(runner[i] == runner[i / chunk * chunk], #name ": a chunk of %d broken at %d", chunk, i);       \
    }
#define PRAGMA(...) PRAGMA_TEXT(__VA_ARGS__)
#define PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)

#define NO_NOWAIT
#define MONOTONIC_plain 1
#define CHUNKS_plain 0
LOOP(plain, NO_NOWAIT, )
#define MONOTONIC_static_plain 1
#define CHUNKS_static_plain 0
LOOP(static_plain, schedule(static), nowait)
#define MONOTONIC_static_chunk 1
#define CHUNKS_static_chunk 1
LOOP(static_chunk, schedule(static, chunk), )
#define MONOTONIC_dynamic 0
#define CHUNKS_dynamic 0
LOOP(dynamic, schedule(dynamic), )
#define MONOTONIC_dynamic_chunk 0
#define CHUNKS_dynamic_chunk 1
LOOP(dynamic_chunk, schedule(dynamic, chunk), nowait)
#define MONOTONIC_dynamic_monotonic 1
#define CHUNKS_dynamic_monotonic 1
LOOP(dynamic_monotonic, schedule(monotonic : dynamic, chunk), )
#define MONOTONIC_dynamic_nonmonotonic 0
#define CHUNKS_dynamic_nonmonotonic 1
LOOP(dynamic_nonmonotonic, schedule(nonmonotonic : dynamic, chunk), nowait)
#define MONOTONIC_guided 0
#define CHUNKS_guided 0
LOOP(guided, schedule(guided), )
#define MONOTONIC_guided_chunk 0
#define CHUNKS_guided_chunk 0
LOOP(guided_chunk, schedule(guided, chunk), nowait)
#define MONOTONIC_guided_monotonic 1
#define CHUNKS_guided_monotonic 0
LOOP(guided_monotonic, schedule(monotonic : guided, chunk), )
#define MONOTONIC_guided_nonmonotonic 0
#define CHUNKS_guided_nonmonotonic 0
LOOP(guided_nonmonotonic, schedule(nonmonotonic : guided, chunk), )
#define MONOTONIC_automatic 0
#define CHUNKS_automatic 0
LOOP(automatic, schedule(auto), )
#define MONOTONIC_runtime 0
#define CHUNKS_runtime 0
LOOP(runtime, schedule(runtime), )
#define MONOTONIC_runtime_nonmonotonic 0
#define CHUNKS_runtime_nonmonotonic 0
LOOP(runtime_nonmonotonic, schedule(nonmonotonic : runtime), nowait)
#define MONOTONIC_runtime_monotonic 1
#define CHUNKS_runtime_monotonic 0
LOOP(runtime_monotonic, schedule(monotonic : runtime), )

// schedule(static): equal pieces, one a thread, in order.
static void static_pieces(int count) {
    for (int i = 1; i < count; i++)
        REQUIRE(runner[i] >= runner[i - 1], "static: thread %d before %d", runner[i - 1], runner[i]);
}

static void static_round_robin(int count, int chunk) {
    for (int i = 0; i < count; i++)
        REQUIRE(runner[i] == i / chunk % threads, "static, %d: iteration %d is thread %d's", chunk, i, runner[i]);
}

int main(void) {
    static const int counts[] = {0, 1, 2, 3, 5, 17, 64, 999};
    static const int chunks[] = {1, 2, 7, 100, 2000};
    threads = omp_get_max_threads();
    for (size_t c = 0; c < TEST_COUNT(counts); c++)
        for (size_t k = 0; k < TEST_COUNT(chunks); k++) {
            int count = counts[c], chunk = chunks[k];
            loop_plain(count, chunk);
            loop_static_plain(count, chunk);
            static_pieces(count);
            loop_static_chunk(count, chunk);
            static_round_robin(count, chunk);
            loop_dynamic(count, chunk);
            loop_dynamic_chunk(count, chunk);
            loop_dynamic_monotonic(count, chunk);
            loop_dynamic_nonmonotonic(count, chunk);
            loop_guided(count, chunk);
            loop_guided_chunk(count, chunk);
            loop_guided_monotonic(count, chunk);
            loop_guided_nonmonotonic(count, chunk);
            loop_automatic(count, chunk);
            loop_runtime(count, chunk);
            loop_runtime_nonmonotonic(count, chunk);
            loop_runtime_monotonic(count, chunk);
        }
    return 0;
}
