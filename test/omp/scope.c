// SPDX-License-Identifier: BSD-3-Clause
// scope: every thread runs it, reductions are done at its end, and all wait there unless told otherwise.
#include "test.h"

int main(void) {
    int threads = omp_get_max_threads(), sum = 0, before = 0;
#pragma omp parallel
    for (int round = 1; round <= 50; round++) {
        int own = -1;
#pragma omp scope reduction(+ : sum)
        {
            test_add(&before, 1);
            sum += 2;
        }
        REQUIRE(sum == 2 * threads * round, "round %d: sum %d", round, sum);
        REQUIRE(test_get(&before) == threads * round, "round %d: past the scope with %d", round, test_get(&before));
#pragma omp scope nowait private(own)
        own = round;
#pragma omp barrier
        REQUIRE(own == -1, "a private variable came out");
    }
    return 0;
}
