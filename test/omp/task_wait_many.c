// SPDX-License-Identifier: BSD-3-Clause
// An explicit task makes 70,000 children and waits for them after every seventh one. Other threads run most of them, so
// the number of children that the task gives to other threads exceeds 2^15 and 2^16.
// threads: 4
#include "test.h"

#define COUNT 70000
#define GROUP 7

static void some_work(void) {
    for (volatile int i = 0; i < 40; i++) {
    }
}

int main(void) {
    static int ran;
#pragma omp parallel
#pragma omp single
#pragma omp task
    {
        for (int made = 0; made < COUNT; made += GROUP) {
            for (int i = 0; i < GROUP; i++) {
#pragma omp task
                {
                    some_work();
                    test_add(&ran, 1);
                }
            }
#pragma omp taskwait
            const int now = test_get(&ran);
            REQUIRE(now == made + GROUP, "%d tasks had ended after a taskwait for %d", now, made + GROUP);
        }
    }
    return 0;
}
