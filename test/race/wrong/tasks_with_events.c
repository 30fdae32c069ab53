// SPDX-License-Identifier: BSD-3-Clause
// Wrong: tasks with events. A detached task is ordered by what OpenMP orders only, and what a task does after it has fulfilled an
// event is not ordered before a wait. GCC 12 believes, when it optimises, that the library does not write the handles.
// flags: -O0
#include <omp.h>
#include <stdio.h>

static int made, result, later, x, y, both;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        omp_event_handle_t first, second, third;
#pragma omp task detach(first)
        {
            made = 1; // race
            omp_fulfill_event(first);
        }
        made += 2; // race
#pragma omp taskwait
#pragma omp task depend(out : y) detach(second)
        x = 1;
#pragma omp task
        {
            result = 5;
            omp_fulfill_event(second);
            later = 1; // race
        }
#pragma omp taskwait depend(in : y)
        later += result; // race
#pragma omp taskwait
#pragma omp task depend(out : x) detach(third)
        {
            both = 1; // race
            omp_fulfill_event(third);
        }
#pragma omp task depend(out : y)
        both += 2; // race
    }
    printf("%d %d %d %d\n", made, result, later, both);
}
