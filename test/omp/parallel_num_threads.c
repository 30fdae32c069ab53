// SPDX-License-Identifier: BSD-3-Clause
// The clause num_threads counts for its region alone, omp_set_num_threads for those that follow.
// threads: 1 2 4
#include "test.h"

static void region_of(int count) {
    int here = 0, ran = 0;
#pragma omp parallel num_threads(count) reduction(+ : ran)
    {
        REQUIRE(omp_get_num_threads() == count, "num_threads(%d): %d", count, omp_get_num_threads());
        test_meet(&here, count);
        ran++;
    }
    REQUIRE(ran == count, "num_threads(%d): %d ran", count, ran);
}

int main(void) {
    int wanted = omp_get_max_threads();
    static const int sizes[] = {1, 5, 2, 16, 3, 33, 1, 8};
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        region_of(sizes[i]);
        REQUIRE(omp_get_max_threads() == wanted, "num_threads(%d) stayed: %d", sizes[i], omp_get_max_threads());
    }
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        omp_set_num_threads(sizes[i]);
        REQUIRE(omp_get_max_threads() == sizes[i], "set to %d, is %d", sizes[i], omp_get_max_threads());
        int ran = 0;
#pragma omp parallel reduction(+ : ran)
        {
            ran++;
            // A worker inherits it.
            REQUIRE(omp_get_max_threads() == sizes[i], "inside: %d, not %d", omp_get_max_threads(), sizes[i]);
        }
        REQUIRE(ran == sizes[i], "omp_set_num_threads(%d): %d ran", sizes[i], ran);
    }
    return 0;
}
