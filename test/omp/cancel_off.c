// SPDX-License-Identifier: BSD-3-Clause
// Without OMP_CANCELLATION cancel does nothing.
// threads: 1 2 4
#include "test.h"

int main(void) {
    int ran = 0, loops = 0, sections = 0, tasks = 0, threads = omp_get_max_threads();
    REQUIRE(!omp_get_cancellation(), "cancellation is on");
#pragma omp parallel
    {
#pragma omp cancel parallel
#pragma omp cancellation point parallel
        test_add(&ran, 1);
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < 100; i++) {
#pragma omp cancel for
#pragma omp cancellation point for
            test_add(&loops, 1);
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
                test_add(&sections, 1);
            }
#pragma omp section
            test_add(&sections, 1);
        }
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(tasks)
            {
#pragma omp cancel taskgroup
#pragma omp cancellation point taskgroup
                test_add(&tasks, 1);
            }
        }
    }
    REQUIRE(ran == threads && loops == 100 && sections == 2 && tasks == 20, "%d, %d, %d, %d", ran, loops, sections,
            tasks);
    return 0;
}
