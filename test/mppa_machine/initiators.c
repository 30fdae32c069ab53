// SPDX-License-Identifier: BSD-3-Clause
// All 16 cores of all PEs, 240 beside those of PE 0, do posted atomics, fetch-adds and puts on the memory of PE 0 at the same time:
// none is lost or done twice. A posted atomic takes its core no longer than 17.5 us, the paper's time with 256 initiators (Hascoet
// et al. 2017, section 6.4). A fetch-add waits until the server has executed the jobs in front of it, up to two of each core.
// pes: 4 16
// flags: -fopenmp
#include "test.h"

#include <omp.h>

#define THREADS 16
#define ROUNDS 8
#define MOST_CYCLES 8750 // 17.5 us

static long posted, fetched;
static long seen[THREADS * 16 * ROUNDS];
static long marks[THREADS * 16];

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles));
    return cycles;
}

int main(void) {
    uint32_t longest = 0, longest_fetch = 0;
    test_begin_threads();
    shmem_barrier_all();
#pragma omp parallel num_threads(THREADS) reduction(max : longest, longest_fetch)
    {
        const int thread = me * THREADS + omp_get_thread_num();
        for (int i = 0; i < ROUNDS; i++) {
            const uint32_t began = now();
            shmem_long_atomic_add(&posted, thread + 1, 0);
            const uint32_t took = now() - began;
            if (took > longest) longest = took;
            const long ticket = shmem_long_atomic_fetch_inc(&fetched, 0);
            const uint32_t fetch = now() - began - took;
            if (fetch > longest_fetch) longest_fetch = fetch;
            shmem_long_p(&seen[ticket], thread + 1, 0);
        }
        shmem_long_p(&marks[thread], thread, 0);
        shmem_quiet();
    }
    shmem_barrier_all();
    if (me == 0) {
        const long all = (long)pes * THREADS;
        long counts[THREADS * 16] = {0};
        REQUIRE(posted == ROUNDS * all * (all + 1) / 2, "posted atomics: %ld", posted);
        REQUIRE(fetched == ROUNDS * all, "fetch-adds: %ld", fetched);
        for (long i = 0; i < ROUNDS * all; i++) {
            REQUIRE(seen[i] >= 1 && seen[i] <= all, "ticket %ld was taken by %ld", i, seen[i] - 1);
            counts[seen[i] - 1]++;
        }
        for (long i = 0; i < all; i++)
            REQUIRE(counts[i] == ROUNDS && marks[i] == i, "core %ld: %ld tickets, mark %ld", i, counts[i], marks[i]);
    }
    printf("PE %d: the longest posted atomic took %u cycles, the longest fetch-add %u\n", me, (unsigned)longest,
           (unsigned)longest_fetch);
    REQUIRE(longest <= MOST_CYCLES, "a posted atomic took %u cycles", (unsigned)longest);
    return test_end();
}
