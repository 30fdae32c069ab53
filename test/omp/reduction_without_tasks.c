// SPDX-License-Identifier: BSD-3-Clause
// A reduction with the task modifier in a program without tasks. Where the runtime is a static library, the program contains
// little of the code of tasks, and none of it at all without the reduction.
#include "test.h"

int main(void) {
    int sum = 3;
    long product = 2;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 2) reduction(task, + : sum)
        for (int i = 0; i < 40; i++) sum += i;
#pragma omp sections reduction(task, * : product)
        {
#pragma omp section
            product *= 5;
#pragma omp section
            product *= 7;
        }
    }
    REQUIRE(sum == 3 + 40 * 39 / 2 && product == 70, "sum %d, product %ld", sum, product);
    return 0;
}
