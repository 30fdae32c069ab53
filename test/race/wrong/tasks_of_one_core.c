// SPDX-License-Identifier: BSD-3-Clause
// Wrong: tasks that run one after the other on one core, and a task that another thread's task follows there. Only taskwait,
// taskgroup, if(0) and depend order them.
#include <stdio.h>

static int plain, before, after, in_group, ordered, late;

static void tree(int depth) {
    if (depth == 0) {
        plain++; // race
        return;
    }
#pragma omp task
    tree(depth - 1);
#pragma omp task
    tree(depth - 1);
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        tree(4);
        for (int i = 0; i < 3; i++) {
#pragma omp task
            before += i; // race
        }
        before += 5; // race
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp task
            {
                in_group = 1; // race
#pragma omp task
                late = 1;
            }
            in_group = 2; // race
        }
        late++;
#pragma omp task if (0)
        {
            ordered = 1;
#pragma omp task
            after = 1; // race
        }
        ordered++;
        after++; // race
#pragma omp task depend(out : ordered)
        ordered++;
#pragma omp task depend(in : ordered)
        late += ordered;
    }
    printf("%d %d %d %d %d %d\n", plain, before, after, in_group, ordered, late);
}
