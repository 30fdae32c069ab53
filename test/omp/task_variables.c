// SPDX-License-Identifier: BSD-3-Clause
// What a task sets by omp_set_... is its own: it begins with its maker's values and its maker keeps them.
#include "test.h"

int main(void) {
    omp_set_num_threads(5);
    int ran = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_set_num_threads(6);
        for (int i = 0; i < 50; i++) {
#pragma omp task shared(ran) if (i % 3)
            {
                REQUIRE(omp_get_max_threads() == 6, "a task begins with %d", omp_get_max_threads());
                omp_set_num_threads(10 + i);
                omp_set_dynamic(i % 2);
#pragma omp taskyield
                REQUIRE(omp_get_max_threads() == 10 + i && omp_get_dynamic() == i % 2, "another task's value: %d",
                        omp_get_max_threads());
                test_add(&ran, 1);
            }
            REQUIRE(omp_get_max_threads() == 6, "a task's value came out: %d", omp_get_max_threads());
        }
    }
    REQUIRE(ran == 50 && omp_get_max_threads() == 5 && !omp_get_dynamic(), "%d ran, %d threads", ran,
            omp_get_max_threads());
    return 0;
}
