// SPDX-License-Identifier: BSD-3-Clause
// Wrong: `taskwait depend` waits only for the tasks that its dependences name, also if one core has run the others before.
#include <stdio.h>

static int x, y, of_x, of_y, readers;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
        of_x = 1;
#pragma omp task depend(out : y)
        of_y = 2; // race
#pragma omp taskwait depend(in : x)
        x = of_x;
        y = of_y; // race
#pragma omp taskwait
#pragma omp task depend(in : x)
        readers = x; // race
#pragma omp taskwait depend(in : x)
        readers += 2; // race
    }
    printf("%d %d %d\n", x, y, readers);
}
