// SPDX-License-Identifier: BSD-3-Clause
// taskwait waits for children, not for grandchildren; taskgroup waits for all descendants.
#include "test.h"

#define ROUNDS 50

int main(void) {
    static int done[ROUNDS], grand[ROUNDS], gate[ROUNDS], after[ROUNDS];
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < ROUNDS; round++) {
        // With one thread a grandchild that waits could keep it for ever.
        bool held = omp_get_num_threads() > 1;
        int maker = omp_get_thread_num();
#pragma omp task
        {
            test_add(&done[round], 1);
#pragma omp task
            {
                if (held && omp_get_thread_num() != maker) test_wait(&gate[round], 1);
                test_add(&grand[round], 1);
            }
        }
        if (held) {
            // Someone else holds the grandchild, or it is not begun. This thread must come out.
            while (test_get(&done[round]) == 0) sched_yield();
            test_set(&gate[round], 1);
        }
#pragma omp taskwait
        REQUIRE(test_get(&done[round]) == 1, "round %d: past taskwait without the child", round);
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp task
                {
#pragma omp task
                    test_add(&after[round], 1);
                    test_add(&after[round], 1);
                }
                test_add(&after[round], 1);
            }
        }
        REQUIRE(test_get(&after[round]) == 3, "round %d: past taskgroup with %d of 3", round, test_get(&after[round]));
    }
    for (int i = 0; i < ROUNDS; i++) REQUIRE(grand[i] == 1, "grandchild %d ran %d times", i, grand[i]);
    return 0;
}
