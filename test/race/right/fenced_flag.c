// SPDX-License-Identifier: BSD-3-Clause
// Right on these machines: a flush before the store of a flag, and a flush after the load that has seen it.
#include <omp.h>
#include <stdio.h>

static int data[4];
static volatile int flag;

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 4; i++) data[i] = i + 1;
#pragma omp flush
            flag = 1;
        } else {
            while (!flag) {
            }
#pragma omp flush
            for (int i = 0; i < 4; i++) sum += data[i];
        }
    }
    printf("%d\n", sum);
    return sum != 10;
}
