// SPDX-License-Identifier: BSD-3-Clause
// schedule(runtime) is what omp_set_schedule last said, in the region that it was said in and in those within.
#include "test.h"

#define COUNT 100

static int runner[COUNT];

static void loop(void) {
    memset(runner, -1, sizeof runner);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < COUNT; i++) {
        REQUIRE(runner[i] == -1, "%d ran twice", i);
        runner[i] = omp_get_thread_num();
    }
    for (int i = 0; i < COUNT; i++) REQUIRE(runner[i] >= 0, "%d did not run", i);
}

static void set(omp_sched_t kind, int chunk, int right_chunk) {
    omp_sched_t got;
    int got_chunk;
    omp_set_schedule(kind, chunk);
    omp_get_schedule(&got, &got_chunk);
    REQUIRE(got == kind, "set %x, got %x", (unsigned)kind, (unsigned)got);
    if (right_chunk >= 0)
        REQUIRE(got_chunk == right_chunk, "%x: chunk %d, not %d", (unsigned)kind, got_chunk, right_chunk);
    loop();
}

int main(void) {
    int threads = omp_get_max_threads();
    set(omp_sched_static, 7, 7);
    for (int i = 0; i < COUNT; i++) REQUIRE(runner[i] == i / 7 % threads, "static, 7: %d is thread %d's", i, runner[i]);
    set(omp_sched_static, 0, -1);
    for (int i = 1; i < COUNT; i++)
        REQUIRE(runner[i] >= runner[i - 1], "static: thread %d before %d", runner[i - 1], runner[i]);
    set(omp_sched_dynamic, 10, 10);
    for (int i = 0; i < COUNT; i++) REQUIRE(runner[i] == runner[i / 10 * 10], "dynamic, 10: a chunk broken at %d", i);
    set(omp_sched_dynamic, 0, 1);
    set(omp_sched_guided, 5, 5);
    for (int i = 1, begin = 0; i < COUNT; i++) {
        if (runner[i] == runner[i - 1]) continue;
        REQUIRE(i - begin >= 5, "guided, 5: a chunk of %d at %d", i - begin, begin);
        begin = i;
    }
    set(omp_sched_auto, 3, -1);
    set((omp_sched_t)((unsigned)omp_sched_dynamic | (unsigned)omp_sched_monotonic), 4, 4);
    omp_set_schedule(omp_sched_static, 3);
#pragma omp parallel
    {
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        REQUIRE(kind == omp_sched_static && chunk == 3, "inside: kind %x, chunk %d", (unsigned)kind, chunk);
        omp_set_schedule(omp_sched_guided, 9); // of this thread's task alone
    }
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    REQUIRE(kind == omp_sched_static && chunk == 3, "a region's schedule came out: kind %x, chunk %d", (unsigned)kind,
            chunk);
    return 0;
}
