// SPDX-License-Identifier: BSD-3-Clause
// A thread uses a buffer before the copy to it is complete. Only machines whose network interface copies have this race.
#include <omp.h>
#include <skerry_omp.h>
#include <stdio.h>

#define COUNT 32

static int block[COUNT];

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    if (omp_get_thread_num() == 1) {
        int own[COUNT];
        skerry_omp_counter_t counter = {0};
        skerry_omp_get_begin(&counter, own, block, sizeof own);          // race
        for (int i = 0; i < COUNT; i++) sum += *(volatile int *)&own[i]; // race
        skerry_omp_complete(&counter);
    }
    printf("%s\n", sum < 0 ? "wrong" : "done");
    return 0;
}
