// SPDX-License-Identifier: BSD-3-Clause
// A thread changes a buffer from which a copy is not complete: it waits for another copy. Only machines whose network
// interface copies have this race.
#include <omp.h>
#include <skerry_omp.h>
#include <stdio.h>

#define COUNT 32

static int block[COUNT], other[COUNT];

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        int own[COUNT], second[COUNT];
        skerry_omp_counter_t counter = {0}, wrong = {0};
        for (int i = 0; i < COUNT; i++) own[i] = second[i] = i;
        skerry_omp_put_begin(&counter, block, own, sizeof own); // race
        skerry_omp_put_begin(&wrong, other, second, sizeof second);
        skerry_omp_complete(&wrong);
        for (int i = 0; i < COUNT; i++) *(volatile int *)&own[i] = 0; // race
        skerry_omp_complete(&counter);
    }
    puts("done");
    return 0;
}
