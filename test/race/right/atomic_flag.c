// SPDX-License-Identifier: BSD-3-Clause
// Right: a flag that is written and read atomically, with the orders release and acquire, and a sum that all threads
// change and read atomically.
#include <omp.h>
#include <stdio.h>

static int data, flag, sum;

int main(void) {
    int seen = 0;
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp atomic write release
            flag = 1;
        }
        if (omp_get_thread_num() == 1) {
            int is_set;
            do {
#pragma omp atomic read acquire
                is_set = flag;
            } while (!is_set);
            seen = data;
        }
#pragma omp atomic
        sum += 1;
        int now;
#pragma omp atomic read
        now = sum;
        if (now < 1) printf("a sum of %d\n", now);
    }
    printf("%d %d\n", seen, sum);
    return seen != 42 || sum != 4;
}
