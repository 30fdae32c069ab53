// SPDX-License-Identifier: BSD-3-Clause
// Regions within tasks: the inner team is a team, with tasks and loops of its own, and the task goes on in its own place.
// threads: 1 2 3 4 8
#include "test.h"

int main(void) {
    int total = 0, inner_tasks = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(total, inner_tasks)
        {
            int me = omp_get_thread_num(), here = 0, sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
            {
                test_meet(&here, 3);
                REQUIRE(omp_get_num_threads() == 3 && omp_get_level() == 2, "%d threads at level %d",
                        omp_get_num_threads(), omp_get_level());
#pragma omp for schedule(dynamic)
                for (int k = 0; k < 10; k++) sum += k;
#pragma omp task shared(inner_tasks)
                test_add(&inner_tasks, 1);
            }
            REQUIRE(sum == 45, "sum %d", sum);
            REQUIRE(omp_get_thread_num() == me && omp_get_level() == 1, "the task woke up elsewhere");
            test_add(&total, 1);
        }
    }
    REQUIRE(total == 20 && inner_tasks == 60, "%d and %d", total, inner_tasks);
    return 0;
}
