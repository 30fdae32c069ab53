// SPDX-License-Identifier: BSD-3-Clause
// A hundred thousand ready tasks of several priorities: none costs a walk along the others, and a thread that has them to itself runs
// them in falling order of priority, those of one priority as they were made.
// threads: 1 2
// peer: no: it runs most of them when they are made
// env: OMP_MAX_TASK_PRIORITY=1000
// sarc: the tasks lie in external memory, which takes minutes.
// skip: sarc
#include "test.h"

#define COUNT 100000

static const int priorities[] = {3, 7, 1, 62, 2, 63, 1000, 64, 61, 999};
static int order[COUNT], place, gate;

// Few are far up.
static int priority_of(int i) {
    return priorities[i % 100 < 98 ? i % 5 : i % 10];
}

int main(void) {
    int made = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() != 0) test_wait(&gate, 1);
        else {
            for (int i = 0; i < COUNT; i++) {
#pragma omp task priority(priority_of(i)) firstprivate(i)
                order[place++] = i;
            }
            made = place;
#pragma omp taskwait
            test_set(&gate, 1);
        }
    }
    REQUIRE(place == COUNT, "%d ran", place);
    if (made > 0) return 0; // a thread may run a task when it is made
    for (int k = 1; k < COUNT; k++) {
        int before = priority_of(order[k - 1]), now = priority_of(order[k]);
        REQUIRE(now < before || (now == before && order[k] > order[k - 1]), "%d after %d", order[k], order[k - 1]);
    }
    return 0;
}
