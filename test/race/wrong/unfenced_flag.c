// SPDX-License-Identifier: BSD-3-Clause
// Wrong: a flag tells the other thread that the data is ready, but there is no flush between the two stores.
#include <omp.h>
#include <stdio.h>

static int data;
static volatile int flag;

int main(void) {
    int seen = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 42; // race
            flag = 1;  // race
        } else {
            while (!flag) { // race
            }
            seen = data; // race
        }
    }
    printf("%d\n", seen);
}
