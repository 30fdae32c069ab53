// SPDX-License-Identifier: BSD-3-Clause
// Wrong: the second loop reads elements that other threads write in the first loop, and `nowait` removes the barrier
// between the loops.
#include <stdio.h>

#define COUNT 64

static int first[COUNT], second[COUNT];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait
        for (int i = 0; i < COUNT; i++) first[i] = i; // race
#pragma omp for
        for (int i = 0; i < COUNT; i++) second[i] = first[COUNT - 1 - i]; // race
    }
    printf("%d\n", second[0]);
}
