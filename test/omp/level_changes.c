// SPDX-License-Identifier: BSD-3-Clause
// The level of a region whose thread was in a region of the same team before, when that team was at another level: the team
// begins once at level 1, and once inside a region of one thread.
// threads: 4
#include <omp.h>

#include "test.h"

static int inner_level(void) {
    int level = 0;
#pragma omp parallel num_threads(1)
    level = omp_get_level();
    return level;
}

int main(void) {
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(4)
        REQUIRE(inner_level() == 2, "round %d: thread %d is at level %d", round, omp_get_thread_num(), inner_level());
#pragma omp parallel if (0)
        {
#pragma omp parallel num_threads(4)
            REQUIRE(inner_level() == 3, "round %d: in a region of one thread, thread %d is at level %d", round,
                    omp_get_thread_num(), inner_level());
        }
    }
    return 0;
}
