// SPDX-License-Identifier: BSD-3-Clause
// The library that the test `library` opens.
#include <omp.h>

int library_sum(int count);

int library_sum(int count) {
    int sum = 0, threads = 0;
#pragma omp parallel reduction(+ : sum, threads)
    {
        threads++;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < count; i++) sum += i;
    }
    return threads == omp_get_max_threads() ? sum : -threads;
}
