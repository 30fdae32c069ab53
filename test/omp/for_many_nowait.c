// SPDX-License-Identifier: BSD-3-Clause
// A thread may run far ahead through loops, singles and sections with nowait while another has not begun the first.
#include "test.h"

#define LOOPS 200

static int runs[LOOPS][10], singles[LOOPS], sections[LOOPS];

int main(void) {
    int threads = omp_get_max_threads();
    int ahead = 0;
#pragma omp parallel
    {
        // The last thread begins when all others are through; with the iterations it would have had still to be had by none.
        bool late = threads > 1 && omp_get_thread_num() == threads - 1;
        if (late) test_wait(&ahead, threads - 1);
        for (int n = 0; n < LOOPS; n++) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 10; i++) {
                REQUIRE(!late, "iterations of loop %d were kept for the last thread", n);
                test_add(&runs[n][i], 1);
            }
#pragma omp single nowait
            {
                REQUIRE(!late, "single %d was kept for the last thread", n);
                test_add(&singles[n], 1);
            }
#pragma omp sections nowait
            {
#pragma omp section
                test_add(&sections[n], 1);
#pragma omp section
                test_add(&sections[n], 10);
            }
        }
        if (!late) test_add(&ahead, 1);
    }
    for (int n = 0; n < LOOPS; n++) {
        for (int i = 0; i < 10; i++) REQUIRE(runs[n][i] == 1, "loop %d: %d ran %d times", n, i, runs[n][i]);
        REQUIRE(singles[n] == 1 && sections[n] == 11, "%d: %d singles, sections %d", n, singles[n], sections[n]);
    }
    return 0;
}
