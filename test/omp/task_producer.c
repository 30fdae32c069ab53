// SPDX-License-Identifier: BSD-3-Clause
// One thread of a region makes many tasks, each time another thread, with and without a taskwait or a group after them.
#include "test.h"

#define TASKS 100

int main(void) {
    int threads = 0;
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
    for (int maker = 0; maker < threads; maker++) {
        int ran[TASKS] = {0}, waited = 0;
#pragma omp parallel
        {
            if (omp_get_thread_num() == maker) {
                for (int i = 0; i < TASKS / 2; i++)
#pragma omp task
                    ran[i]++;
                if (maker % 2) {
#pragma omp taskwait
                    for (int i = 0; i < TASKS / 2; i++) waited += ran[i];
                    REQUIRE(waited == TASKS / 2, "thread %d: %d tasks ended before the taskwait did", maker, waited);
                }
#pragma omp taskgroup
                for (int i = TASKS / 2; i < TASKS; i++)
#pragma omp task
                    ran[i]++;
                for (int i = TASKS / 2; i < TASKS; i++)
                    REQUIRE(ran[i] == 1, "thread %d: task %d of the group ran %d times", maker, i, ran[i]);
            }
        }
        for (int i = 0; i < TASKS; i++) REQUIRE(ran[i] == 1, "thread %d: task %d ran %d times", maker, i, ran[i]);
    }
    return 0;
}
