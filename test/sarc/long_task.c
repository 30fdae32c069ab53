// SPDX-License-Identifier: BSD-3-Clause
// One task computes for millions of cycles with few words of memory, and another one in registers, while the other threads search
// for tasks. This is no deadlock.
#include <stdio.h>
#include <stdint.h>

static double count_in_memory(int steps) {
    volatile double count = 0;
    for (int i = 0; i < steps; i++) count = count + 1;
    return count;
}

static uint32_t count_in_registers(uint32_t steps) {
    uint32_t x = 1;
    for (uint32_t i = 0; i < steps; i++) x = x * UINT32_C(1664525) + UINT32_C(1013904223);
    return x;
}

int main(void) {
    double count = 0;
    uint32_t x = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(count)
        count = count_in_memory(200000);
#pragma omp task shared(x)
        x = count_in_registers(1000000);
#pragma omp taskwait
    }
    if (count != 200000 || x != UINT32_C(366300225)) {
        printf("%g %u\n", count, (unsigned)x);
        return 1;
    }
    return 0;
}
