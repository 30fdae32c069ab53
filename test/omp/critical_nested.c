// SPDX-License-Identifier: BSD-3-Clause
// critical sections of different names within each other, and across the threads of nested regions.
// threads: 2 4 8
#include "test.h"

int main(void) {
    static long inner, outer;
    int threads = omp_get_max_threads();
    omp_set_max_active_levels(2);
#pragma omp parallel
    {
#pragma omp parallel num_threads(3)
        for (int i = 0; i < 50; i++) {
#pragma omp critical(outer)
            {
                outer++;
#pragma omp critical(inner)
                inner++;
            }
#pragma omp critical(inner)
            inner++;
        }
    }
    REQUIRE(outer == threads * 150L && inner == 2 * outer, "%ld and %ld", outer, inner);
    return 0;
}
