// SPDX-License-Identifier: BSD-3-Clause
// Wrong: the maker of a task uses the task's variable before taskwait, and then runs the task itself; and the same with the tasks
// of a taskloop with nogroup.
#include <stdio.h>

int main(void) {
    int result = 0, copy = 0, items[32], last = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task shared(result)
        result = 5;        // race
        copy = result + 1; // race
#pragma omp taskwait
#pragma omp taskloop nogroup num_tasks(4) shared(items)
        for (int i = 0; i < 32; i++) items[i] = i; // race
        last = items[31];                          // race
#pragma omp taskwait
    }
    printf("%d %d %d\n", result, copy, last);
}
