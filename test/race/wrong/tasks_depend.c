// SPDX-License-Identifier: BSD-3-Clause
// Wrong: tasks whose depend clauses do not order them, which one core can run one after the other: clauses for different
// variables, two tasks that only read, a task without a clause, a child, and tasks that differ in priority.
#include <stdio.h>

static int x, y, both, readers, without, inner, urgent, chained;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
        both = x + 1; // race
#pragma omp task depend(out : y)
        both = y + 2; // race
#pragma omp taskwait
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(in : x)
        readers += x; // race
#pragma omp task depend(in : x)
        readers += 2 * x; // race
#pragma omp task depend(inout : x)
        x += readers;
#pragma omp taskwait
#pragma omp task depend(inout : x)
        without++; // race
#pragma omp task
        without += 2; // race
#pragma omp taskwait
#pragma omp task depend(out : y)
        {
#pragma omp task
            inner++; // race
        }
#pragma omp task depend(inout : y)
        inner += 2; // race
#pragma omp taskwait
#pragma omp task priority(5)
        urgent++; // race
#pragma omp task priority(1)
        urgent += 2; // race
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : x) depend(in : y)
            chained += i + y;
#pragma omp task depend(mutexinoutset : x)
            chained += 2;
        }
#pragma omp task depend(out : x, y)
        y = chained;
    }
    printf("%d %d %d %d %d %d\n", both, readers, without, inner, urgent, y);
}
