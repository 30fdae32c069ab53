// SPDX-License-Identifier: BSD-3-Clause
// Taskgroups within taskgroups and in tasks; one waits for its own tasks, not for those made before it.
#include "test.h"

static int count(int depth) {
    int sum = 0;
    if (depth == 0) return 1;
#pragma omp taskgroup
    {
        for (int i = 0; i < 3; i++) {
#pragma omp task shared(sum)
            {
                int below = count(depth - 1);
                test_add(&sum, below);
            }
        }
    }
    return sum; // on this stack: the group must be done
}

int main(void) {
    int total = 0, before = 0;
    static int gate;
#pragma omp parallel
    {
        int mine = count(4);
        REQUIRE(mine == 81, "counted %d", mine);
        test_add(&total, mine);
#pragma omp barrier
        if (omp_get_num_threads() > 1) {
#pragma omp single
            {
                // In another thread it ends only after the group has; a library that runs it in this one sees the gate open.
                int maker = omp_get_thread_num();
#pragma omp task
                {
                    if (omp_get_thread_num() != maker) test_wait(&gate, 1);
                    before = 1;
                }
#pragma omp taskgroup
                {
#pragma omp task
                    test_add(&total, 1);
                }
                REQUIRE(test_get(&total) % 81 == 1, "past the group without its task");
                test_set(&gate, 1);
            }
        }
    }
    REQUIRE(total / 81 == omp_get_max_threads(), "total %d", total);
    REQUIRE(before == (omp_get_max_threads() > 1), "the task before the group");
    return 0;
}
