// SPDX-License-Identifier: BSD-3-Clause
// Regions one after the other whose sizes change all the time, with a barrier, a loop and a single in each.
// threads: 4
#include "test.h"

#define ROUNDS 600
#define MOST 20

int main(void) {
    uint64_t state = 7;
    for (int round = 0; round < ROUNDS; round++) {
        int count = 1 + (int)(test_random(&state) % MOST);
        int before = 0, singles = 0, sum = 0;
#pragma omp parallel num_threads(count) reduction(+ : sum)
        {
            test_add(&before, 1);
#pragma omp barrier
            REQUIRE(test_get(&before) == count, "round %d: past the barrier with %d of %d", round, test_get(&before),
                    count);
#pragma omp single
            test_add(&singles, 1);
#pragma omp for schedule(dynamic, 1) nowait
            for (int i = 0; i < 40; i++) sum += i;
        }
        REQUIRE(singles == 1 && sum == 780, "round %d with %d: %d singles, sum %d", round, count, singles, sum);
    }
    return 0;
}
