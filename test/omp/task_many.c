// SPDX-License-Identifier: BSD-3-Clause
// 100,000 tasks made by one thread without a pause, and 10,000 that depend each on the one before.
// threads: 1 2 4 16
#include "test.h"

#define COUNT 100000

int main(void) {
    static int runs[COUNT];
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < COUNT; i++) {
#pragma omp task
            test_add(&runs[i], 1);
        }
#pragma omp taskwait
        for (int i = 0; i < COUNT; i++) REQUIRE(test_get(&runs[i]) == 1, "task %d ran %d times", i, runs[i]);
    }
    // With dependences, which cannot run early.
    TEST_UNUSED static int cell; // only depended on
    static int order;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < COUNT / 10; i++) {
#pragma omp task depend(inout : cell)
        {
            REQUIRE(order == i, "task %d where %d should be", i, order);
            order++;
        }
    }
    REQUIRE(order == COUNT / 10, "%d in order", order);
    return 0;
}
