// SPDX-License-Identifier: BSD-3-Clause
// 100,000 tasks are pending at once: all depend on one that another thread holds until the last is made; or until no more are
// made, for a library may stop putting tasks off when there are many.
// timeout: 120
// threads: 2 4 16
// sarc: the tasks lie in external memory, which takes minutes.
// skip: sarc
#include "test.h"

#define COUNT 100000
#define PATIENCE 20000

static int begun, made, released, ran;

static void hold(void) {
    test_set(&begun, 1);
    for (int idle = 0, before = 0; before < COUNT && idle < PATIENCE; idle++, sched_yield()) {
        int now = test_get(&made);
        if (now != before) idle = 0;
        before = now;
    }
    test_set(&released, 1);
}

int main(void) {
    TEST_UNUSED static int cell; // only depended on
#pragma omp parallel
#pragma omp single
    {
        int maker = omp_get_thread_num();
#pragma omp task depend(out : cell)
        if (omp_get_thread_num() != maker) hold();
        else test_set(&begun, 1), test_set(&released, 1);
        test_wait(&begun, 1);
        for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(in : cell)
            {
                REQUIRE(test_get(&released) == 1, "a task before the one it depends on");
                test_add(&ran, 1);
            }
            test_set(&made, i + 1);
        }
    }
    REQUIRE(ran == COUNT, "%d ran", ran);
    return 0;
}
