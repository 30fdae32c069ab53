// SPDX-License-Identifier: BSD-3-Clause
// Right: tasks that only dependences order: chains, readers between writers, addresses of an array, depend objects, tasks whose
// data is equal, a task that runs at once, and tasks made by tasks.
#include <omp.h>
#include <stdio.h>

#define COUNT 12

static int chain, table[COUNT][2], sum, same, by_object, nested[3];

static void pipeline(void) {
    for (int step = 0; step < 2; step++)
        for (int i = 1; i < COUNT; i++) {
#pragma omp task depend(in : table[i - 1]) depend(inout : table[i])
            table[i][0] += table[i - 1][0] + step;
        }
#pragma omp task depend(in : table[COUNT - 1])
    sum += table[COUNT - 1][0];
}

static void readers(void) {
    for (int i = 0; i < 5; i++) {
#pragma omp task depend(out : chain)
        chain = i;
        for (int k = 0; k < 3; k++) {
#pragma omp task depend(in : chain)
            table[k][1] = chain;
        }
#pragma omp task depend(inout : chain)
        for (int k = 0; k < 3; k++) chain += table[k][1];
    }
}

static void objects(void) {
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : by_object)
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(depobj : object)
        by_object++;
    }
#pragma omp task depend(in : by_object) if (0)
    same += by_object;
#pragma omp depobj(object) destroy
}

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        pipeline();
        readers();
        objects();
        for (int i = 0; i < 6; i++) {
#pragma omp task depend(inout : nested[0])
            same++;
        }
#pragma omp taskwait
#pragma omp task
        {
#pragma omp task depend(out : nested[1])
            nested[1] = 3;
#pragma omp task depend(in : nested[1]) depend(out : nested[2])
            nested[2] = nested[1];
#pragma omp task depend(in : nested[2])
            nested[0] = nested[2];
        }
    }
    printf("%d %d %d %d %d\n", sum, chain, by_object, same, nested[0]);
    return 0;
}
