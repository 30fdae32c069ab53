// SPDX-License-Identifier: BSD-3-Clause
// Wrong: each thread adds its part to the sum by itself. The clause reduction(+ : sum) would be right.
#include <stdio.h>

#define COUNT 256

static double part[COUNT];

int main(void) {
    double sum = 0;
    for (int i = 0; i < COUNT; i++) part[i] = i;
#pragma omp parallel num_threads(4)
    {
        double own = 0;
#pragma omp for nowait
        for (int i = 0; i < COUNT; i++) own += part[i];
        sum += own; // race
    }
    printf("%g\n", sum);
}
