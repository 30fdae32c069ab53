// SPDX-License-Identifier: BSD-3-Clause
// Of the tasks that wait, those of higher priority run first: one thread makes them, then has them all to itself.
// threads: 1 2
// env: OMP_MAX_TASK_PRIORITY=100
#include "test.h"

#define COUNT 30

int main(void) {
    REQUIRE(omp_get_max_task_priority() == 100, "the maximum is %d", omp_get_max_task_priority());
    int order[COUNT], place = 0;
    static int gate, made;
#pragma omp parallel
    {
        // The other threads are kept out until all is done.
        if (omp_get_thread_num() != 0) test_wait(&gate, 1);
        else {
            for (int i = 0; i < COUNT; i++) {
                int priority = i * 7 % COUNT;
#pragma omp task priority(priority) shared(order, place) firstprivate(priority)
                order[place++] = priority;
            }
            made = place;
#pragma omp taskwait
            test_set(&gate, 1);
        }
    }
    REQUIRE(place == COUNT, "%d ran", place);
    if (made > 0) return 0; // a team of one may run each task when it is made
    for (int i = 1; i < COUNT; i++) REQUIRE(order[i] < order[i - 1], "priority %d after %d", order[i], order[i - 1]);
    return 0;
}
