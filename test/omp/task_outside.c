// SPDX-License-Identifier: BSD-3-Clause
// Tasks made outside any region: they run, in whatever order dependences allow, with taskwait, taskgroup and taskyield.
// threads: 1 4
#include "test.h"

int main(void) {
    int ran = 0, order = 0;
    TEST_UNUSED static int cell;
    for (int i = 0; i < 100; i++) {
        long copy[20];
        for (int k = 0; k < 20; k++) copy[k] = i;
#pragma omp task shared(ran) firstprivate(copy)
        {
            REQUIRE(copy[19] == i && omp_get_thread_num() == 0, "task %d", i);
            ran++;
        }
#pragma omp task depend(inout : cell) shared(order)
        {
            REQUIRE(order == i, "%d where %d should be", i, order);
            order++;
        }
#pragma omp taskyield
    }
#pragma omp taskwait
    REQUIRE(ran == 100 && order == 100, "%d and %d ran", ran, order);
#pragma omp taskgroup
    {
#pragma omp task shared(ran)
        ran++;
    }
    REQUIRE(ran == 101, "past the group: %d", ran);
    return 0;
}
