// SPDX-License-Identifier: BSD-3-Clause
// Wrong: two tasks that run at the same time change a variable.
#include <stdio.h>

static int count;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp master
    {
#pragma omp task
        for (int i = 0; i < 200; i++) count++; // race
#pragma omp task
        for (int i = 0; i < 200; i++) count += 2; // race
    }
    printf("%d\n", count);
}
