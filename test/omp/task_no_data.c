// SPDX-License-Identifier: BSD-3-Clause
// Tasks without data, and that end with the region's own end.
#include "test.h"

static int ran;

static void one(void) {
#pragma omp task
    test_add(&ran, 1);
}

int main(void) {
    int threads = omp_get_max_threads();
    for (int round = 1; round <= 50; round++) {
#pragma omp parallel
        for (int i = 0; i < 20; i++) one();
        REQUIRE(ran == round * threads * 20, "round %d: %d ran", round, ran);
    }
    return 0;
}
