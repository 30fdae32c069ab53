// SPDX-License-Identifier: BSD-3-Clause
// Tasks are run by other threads while the one that made them waits for something else: all meet inside tasks.
// threads: 2 3 4 8
#include "test.h"

int main(void) {
    int threads = omp_get_max_threads(), here = 0;
    static int ran_by[64];
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        {
#pragma omp single
            for (int i = 0; i < threads; i++) {
                // As many as threads: each must be in one, and the maker comes to its own at the single's barrier.
#pragma omp task
                {
                    test_meet(&here, threads);
                    test_add(&ran_by[omp_get_thread_num()], 1);
                }
            }
        }
    }
    for (int i = 0; i < threads; i++) REQUIRE(ran_by[i] == 20, "thread %d ran %d", i, ran_by[i]);
    return 0;
}
