// SPDX-License-Identifier: BSD-3-Clause
// 64 threads, far more than processors: they meet at barriers, share loops and hand over in order.
// threads: 64
#include "test.h"

#define ROUNDS 20

int main(void) {
    int here = 0, ordered = 0;
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        REQUIRE(omp_get_num_threads() == 64, "%d threads", omp_get_num_threads());
        for (int round = 1; round <= ROUNDS; round++) {
            test_add(&here, 1);
#pragma omp barrier
            REQUIRE(test_get(&here) >= round * 64, "round %d: past the barrier with %d", round, test_get(&here));
#pragma omp for schedule(dynamic, 3)
            for (int i = 0; i < 1000; i++) sum += i;
#pragma omp for ordered schedule(static, 1)
            for (int i = 0; i < 64; i++) {
#pragma omp ordered
                REQUIRE(ordered++ % 64 == i, "iteration %d out of order", i);
            }
        }
    }
    REQUIRE(sum == ROUNDS * 499500L, "sum %ld", sum);
    return 0;
}
