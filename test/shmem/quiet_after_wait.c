// SPDX-License-Identifier: BSD-3-Clause
// A quiet that follows a wait does not wait for a PE that computes. PE 0 puts a word, waits for PE 1's answer, and calls
// quiet. PE 1 answers, and then computes without calls of the library. PE 1 acknowledges the put together with its
// answer, because earlier rounds had the same steps. If PE 0 asked for the acknowledgement only in its quiet, most quiets
// would wait for PE 1's helper thread, which sleeps because PE 1 has polled the network before.
// pes: 2
// nodes: only
// skip: epiphany (a chip is one node)
#include <stdlib.h>
#include <time.h>

#include "test.h"

#define ROUNDS 200
#define COMPUTING 2e-3  // seconds
#define QUIET_MOST 1e-4 // seconds; with a request in the quiet, the median is 3e-4 or more

static uint64_t signal_word;
static long word;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void compute(double seconds) {
    const double end = now() + seconds;
    while (now() < end) {
    }
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void) {
    test_begin();
    double times[ROUNDS] = {0};
    for (int round = 1; round <= ROUNDS; round++) {
        if (me == 0) {
            compute(COMPUTING);
            shmem_long_p(&word, round, 1);
            shmem_fence();
            shmem_signal_set(&signal_word, (uint64_t)round, 1);
            shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, (uint64_t)round);
            const double begun = now();
            shmem_quiet();
            times[round - 1] = now() - begun;
        } else {
            shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, (uint64_t)round);
            REQUIRE(word == round, "the signal arrived before the word");
            shmem_signal_set(&signal_word, (uint64_t)round, 0);
            shmem_quiet();
            compute(COMPUTING / 2);
        }
    }
    qsort(times, ROUNDS, sizeof *times, compare);
    if (me == 0) REQUIRE(times[ROUNDS / 2] < QUIET_MOST, "the median quiet took %.0f us", times[ROUNDS / 2] * 1e6);
    return test_end();
}
