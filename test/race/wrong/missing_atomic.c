// SPDX-License-Identifier: BSD-3-Clause
// Wrong: all threads increment one variable, without a critical section and not atomically.
#include <stdio.h>

static int count;

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp critical
        printf("a thread runs\n");
        count++; // race
    }
    printf("%d\n", count);
}
