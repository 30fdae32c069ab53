// SPDX-License-Identifier: BSD-3-Clause
// A thread reads a block that another thread puts there, without a barrier in between.
#include <omp.h>
#include <skerry_omp.h>
#include <stdio.h>

#define COUNT 32

static int block[COUNT];

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        int own[COUNT];
        skerry_omp_counter_t counter = {0};
        for (int i = 0; i < COUNT; i++) own[i] = i;
        skerry_omp_put_begin(&counter, block, own, sizeof block); // race
        skerry_omp_complete(&counter);
    } else {
        for (int i = 0; i < COUNT; i++) sum += *(volatile int *)&block[i]; // race
    }
    printf("%s\n", sum < 0 ? "wrong" : "done");
    return 0;
}
