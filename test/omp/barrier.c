// SPDX-License-Identifier: BSD-3-Clause
// No thread leaves a barrier before all have come, and plain writes before it are seen after it.
#include "test.h"

int main(void) {
    int threads = omp_get_max_threads();
    int rounds = test_rounds(4000);
    int(*written)[2] = calloc((size_t)threads, sizeof *written);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        uint64_t state = (uint64_t)me;
        for (int round = 1; round <= rounds; round++) {
            if (test_random(&state) % 16 == 0) sched_yield(); // not always the same order
            written[me][round % 2] = round;
#pragma omp barrier
            for (int i = 0; i < threads; i++)
                REQUIRE(written[i][round % 2] == round, "round %d: thread %d has written %d", round, i,
                        written[i][round % 2]);
        }
    }
    free(written);
    return 0;
}
