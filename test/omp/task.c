// SPDX-License-Identifier: BSD-3-Clause
// Tasks run once each, with their own firstprivate data, before the barrier that follows; taskwait waits for children.
#include "test.h"

#define COUNT 500

int main(void) {
    static int runs[COUNT], grandchildren[COUNT];
    int threads = omp_get_max_threads();
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < COUNT; i++) {
                long large[30];
                for (int k = 0; k < 30; k++) large[k] = i + k;
#pragma omp task firstprivate(large) shared(runs)
                {
                    for (int k = 0; k < 30; k++)
                        REQUIRE(large[k] == i + k, "task %d: element %d is %ld", i, k, large[k]);
                    REQUIRE(omp_get_thread_num() < threads, "in thread %d", omp_get_thread_num());
                    test_add(&runs[i], 1);
                }
                large[0] = -1; // the task has its copy
            }
#pragma omp taskwait
            for (int i = 0; i < COUNT; i++)
                REQUIRE(test_get(&runs[i]) == 1, "past taskwait: task %d ran %d times", i, runs[i]);
        }
        // Every thread makes tasks, whose children are waited for by the barrier alone.
#pragma omp for nowait
        for (int i = 0; i < COUNT; i++) {
#pragma omp task
            {
#pragma omp task
                test_add(&grandchildren[i], 1);
                test_add(&runs[i], 1);
            }
        }
#pragma omp barrier
        for (int i = 0; i < COUNT; i++)
            REQUIRE(test_get(&runs[i]) == 2 && test_get(&grandchildren[i]) == 1, "past the barrier: task %d", i);
    }
    return 0;
}
