// SPDX-License-Identifier: BSD-3-Clause
// task_reduction on a taskgroup outside any region.
// The system's library of GCC 12 corrupts its memory.
// peer: no
// threads: 1 4
#include "test.h"

#define COUNT 100

static void group(void) {
    int sum = 7;
    long section[10] = {0};
#pragma omp taskgroup task_reduction(+ : sum, section)
    {
        for (int i = 0; i < COUNT; i++) {
#pragma omp task in_reduction(+ : sum, section)
            {
                sum += i;
                section[i % 10] += i;
#pragma omp task in_reduction(+ : sum)
                sum += 1000;
            }
        }
#pragma omp taskloop in_reduction(+ : sum)
        for (int i = 0; i < 10; i++) sum += 100000;
    }
    REQUIRE(sum == 7 + 4950 + COUNT * 1000 + 1000000, "sum %d", sum);
    for (int i = 0; i < 10; i++) REQUIRE(section[i] == 450 + 10 * i, "element %d is %ld", i, section[i]);
}

int main(void) {
    for (int round = 0; round < 20; round++) {
        group();
#pragma omp parallel
        group();
    }
    return 0;
}
