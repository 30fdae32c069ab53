// SPDX-License-Identifier: BSD-3-Clause
// Threads move shared blocks by copies: a counter of each copy orders it before the use of its data, and barriers order
// the threads.
#include <omp.h>
#include <skerry_omp.h>
#include <stdio.h>

#define THREADS 4
#define SHARE 40

static int array[THREADS * SHARE];

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
    {
        const int me = omp_get_thread_num(), next = (me + 1) % omp_get_num_threads();
        int buffer[3 * 8], own[SHARE], *part;
        skerry_omp_chunks_t chunks;
        skerry_omp_counter_t counter = {0};
        skerry_omp_chunks_begin(&chunks, SKERRY_OMP_WRITE, array + me * SHARE, SHARE, sizeof *array, buffer,
                                sizeof buffer);
        while ((part = skerry_omp_chunks_next(&chunks)))
            for (size_t i = 0; i < chunks.count; i++) part[i] = me;
#pragma omp barrier
        skerry_omp_chunks_begin(&chunks, SKERRY_OMP_UPDATE, array + next * SHARE, SHARE, sizeof *array, buffer,
                                sizeof buffer);
        while ((part = skerry_omp_chunks_next(&chunks)))
            for (size_t i = 0; i < chunks.count; i++) part[i]++;
#pragma omp barrier
        skerry_omp_get_begin(&counter, own, array + me * SHARE, sizeof own);
        skerry_omp_complete(&counter);
        for (int i = 0; i < SHARE; i++) sum += own[i];
    }
    printf("the sum is %d\n", sum);
    return sum > 0 ? 0 : 1;
}
