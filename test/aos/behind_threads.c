// SPDX-License-Identifier: BSD-3-Clause
// pes: 1 2 3 4 8
// threads: yes
// skip: epiphany
// Threads of a PE that begin puts and gets behind the program at once, wait for them, and call fences and atomics.
#include "segments.h"

#include "../shmem/threads.h"

static size_t part; // bytes of each thread
static unsigned char *memory;
static aos_segment_t own, right;

static void work(int thread) {
    unsigned char *source = malloc(part), *result = malloc(part);
    REQUIRE(source && result, "no memory");
    const uint64_t at = 8 + (uint64_t)thread * part;
    for (int round = 0; round < 6; round++) {
        aos_event_t put, get;
        const uint64_t seed = (uint64_t)(me * 1000 + thread * 10 + round);
        test_fill(source, part, seed);
        REQUIRE_OK(aos_put(source, &right, at, part, &put));
        if (round % 3 == 0) {
            REQUIRE_OK(aos_event_wait(&put));
            REQUIRE_OK(aos_fence(&right, NULL));
        }
        if (round % 3 == 1) REQUIRE_OK(aos_fence(&right, NULL));
        if (round % 3 == 2) {
            REQUIRE_OK(aos_postadd(&right, 0, 1));
            REQUIRE_OK(aos_fence(&right, NULL));
        }
        memset(result, 0, part);
        REQUIRE_OK(aos_get(result, &right, at, part, &get));
        REQUIRE_OK(aos_event_wait(&get));
        REQUIRE_OK(aos_event_wait(&put));
        const size_t wrong = test_first_wrong(result, part, seed);
        REQUIRE(wrong == part, "thread %d, round %d: byte %zu came back wrong", thread, round, wrong);
    }
    free(source);
    free(result);
}

int main(void) {
    test_begin_threads();
    segments_begin(0);
    part = segments_have_nodes() ? 50000 : 600000;
    memory = calloc(8 + THREADS * part, 1);
    REQUIRE(memory, "no memory");
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), memory, 8 + THREADS * part, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    barrier();
    test_run_threads(work);
    barrier();
    REQUIRE_OK(aos_finalize());
    return test_end();
}
