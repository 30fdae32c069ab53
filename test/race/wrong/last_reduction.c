// SPDX-License-Identifier: BSD-3-Clause
// Wrong: the threads end with a reduction, and one of them has set the reduction's variable before, by a pointer.
#include <omp.h>
#include <stdio.h>

static double sum;
static int most;

int main(void) {
    double *volatile variable = &sum;
    for (int i = 0; i < 3; i++) {
#pragma omp parallel reduction(+ : sum) reduction(max : most) // race
        {
            const int thread = omp_get_thread_num();
            if (thread == 1) {
                for (volatile int k = 0; k < 400; k++) {
                }
                *variable = 7; // race
            }
            sum += thread;
            most = thread > most ? thread : most;
        }
    }
    printf("%d %d\n", (int)sum, most);
}
