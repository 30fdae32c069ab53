// SPDX-License-Identifier: BSD-3-Clause
// Wrong: the threads add atomically to a variable as the last action of a region, and one of them has set it before, not atomically.
#include <omp.h>
#include <stdio.h>

static int count;

int main(void) {
    for (int i = 0; i < 3; i++) {
#pragma omp parallel
        {
            if (omp_get_thread_num() == 1) {
                for (volatile int k = 0; k < 400; k++) {
                }
                count = 7; // race
            }
#pragma omp atomic // race
            count++;
        }
    }
    printf("%d\n", count);
}
