// SPDX-License-Identifier: BSD-3-Clause
// Inside nested regions loops, barriers and singles belong to the innermost team.
// threads: 1 2 3 4 8
#include "test.h"

#define INNER 3
#define ROUNDS 10

int main(void) {
    int outer = omp_get_max_threads();
    int outer_singles = 0;
    omp_set_max_active_levels(2);
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
        {
            int here = 0, singles = 0, sum = 0;
#pragma omp parallel num_threads(INNER) reduction(+ : sum)
            {
                REQUIRE(omp_get_num_threads() == INNER, "%d inner threads", omp_get_num_threads());
                test_add(&here, 1);
#pragma omp barrier
                REQUIRE(test_get(&here) == INNER, "past the inner barrier with %d", test_get(&here));
#pragma omp single
                test_add(&singles, 1);
#pragma omp for schedule(dynamic)
                for (int i = 1; i <= 100; i++) sum += i;
            }
            REQUIRE(singles == 1 && sum == 5050, "inner: %d singles, sum %d", singles, sum);
#pragma omp single
            test_add(&outer_singles, 1);
        }
        REQUIRE(outer_singles == round + 1, "%d outer singles after %d rounds of %d", outer_singles, round + 1, outer);
    }
    return 0;
}
