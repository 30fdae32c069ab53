// SPDX-License-Identifier: BSD-3-Clause
// OpenMP in PEs that are clusters: the 16 application cores of each cluster are the threads of its PE. They share the PE's
// memory, and each of them may use OpenSHMEM.
// pes: 1 2 4
// flags: -fopenmp
#include "test.h"

#include <omp.h>

#define THREADS 16
#define ROUNDS 5

static long counters[THREADS], sums[THREADS];
static long total;

int main(void) {
    test_begin_threads();
    REQUIRE(omp_get_max_threads() == THREADS, "%d threads", omp_get_max_threads());
    shmem_barrier_all();
#pragma omp parallel num_threads(THREADS)
    {
        const int thread = omp_get_thread_num();
        for (int i = 0; i < ROUNDS; i++) {
            shmem_long_atomic_inc(&counters[thread], right_of(me));
            shmem_long_atomic_fetch_add(&total, 1, 0);
            shmem_long_p(&sums[thread], 100 * me + i, right_of(me));
            shmem_quiet();
            const long seen = shmem_long_g(&sums[thread], right_of(me));
            REQUIRE(seen == 100 * me + i, "thread %d put %d and got %ld", thread, 100 * me + i, seen);
        }
    }
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++) {
        REQUIRE(counters[i] == ROUNDS, "counter %d is %ld", i, counters[i]);
        REQUIRE(sums[i] == 100 * left_of(me) + ROUNDS - 1, "sum %d is %ld", i, sums[i]);
    }
    const long all = shmem_long_g(&total, 0);
    REQUIRE(all == (long)THREADS * ROUNDS * pes, "total %ld", all);
    return test_end();
}
