// SPDX-License-Identifier: BSD-3-Clause
// Tasks that end before their children do, and whose parents end before them: what is waited for at the same time is still waited for.
#include "test.h"

#define ROUNDS 3000

static int leaves;

static void leave_some(void) {
#pragma omp task
    {
#pragma omp task
        {
#pragma omp task
            test_add(&leaves, 1);
        }
#pragma omp task
        test_add(&leaves, 1);
    }
}

// With a child that is told apart from those of leave_some, whose memory may be the same.
static void wait_for_one(int round) {
#pragma omp task firstprivate(round)
    {
        int done = 0;
#pragma omp task shared(done)
        {
            for (int i = 0; i < round % 7; i++) sched_yield();
            test_set(&done, 1);
        }
#pragma omp taskwait
        REQUIRE(test_get(&done) == 1, "round %d: past taskwait without the child", round);
    }
}

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < ROUNDS; round++) {
        leave_some();
        wait_for_one(round);
    }
    REQUIRE(leaves == 2 * ROUNDS, "%d of %d ran", leaves, 2 * ROUNDS);
    return 0;
}
