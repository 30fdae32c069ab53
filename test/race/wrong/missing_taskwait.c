// SPDX-License-Identifier: BSD-3-Clause
// Wrong: the thread that makes the tasks reads their results without a taskwait.
#include <stdio.h>

#define COUNT 8

static int result[COUNT];

static int work(int n) {
    int sum = 0;
    for (volatile int i = 0; i < 100; i++) sum += n;
    return sum;
}

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < COUNT; i++) {
#pragma omp task
            result[i] = work(i); // race
        }
        for (int i = 0; i < COUNT; i++) sum += result[i]; // race
    }
    printf("%d\n", sum);
}
