// SPDX-License-Identifier: BSD-3-Clause
// Wrong: a program with reductions of tasks, whose other variables race: between tasks without a reduction, between a task and
// its maker, and between tasks of the reduction if two cores run them.
#include <stdio.h>

static int sum, plain, made, counted;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        {
            for (int i = 0; i < 32; i++) {
#pragma omp task in_reduction(+ : sum)
                {
                    for (volatile int wait = 0; wait < 200; wait++) {
                    }
                    sum += i;
                    counted++; // race
                }
            }
#pragma omp task
            plain++; // race
#pragma omp task priority(0)
            plain += 2; // race
#pragma omp task
            made = 1;         // race
            made += sum >= 0; // race
        }
    }
    printf("%d %d %d %d\n", sum, plain, made, counted);
}
