// SPDX-License-Identifier: BSD-3-Clause
// A task waits for a critical section that its parent keeps while it waits for the task.
// expect-exit: 124
// expect-stderr: deadlock in cycle .* every core waits
#include <stdio.h>

static int count;

static void inner(void) {
#pragma omp critical
    count++;
}

static void outer(void) {
#pragma omp critical
    {
#pragma omp task
        inner();
#pragma omp taskwait
    }
}

int main(void) {
#pragma omp parallel
#pragma omp single
#pragma omp task
    outer();
    puts("no deadlock");
    return 0;
}
