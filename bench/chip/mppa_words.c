// SPDX-License-Identifier: BSD-3-Clause
// Measures figure 4 of Hascoet et al. (2017) by OpenSHMEM: atomic additions by 1 to 16 clusters, with 1 or 16 threads each.
// Spread: each further one goes to the next cluster. Central: all go to the last cluster. Posted ones (names post_*) count
// until the initiator has started the last one. Names end with the number of threads. Checks that no addition was lost.
#include "mppa.h"

#include <omp.h>

#define TURNS 32

static uint32_t word;
static uint64_t started;

static int next_of(int pe) {
    return pe + 1 < shmem_n_pes() ? pe + 1 : 0;
}

static void add(bool spread, bool fetches, int threads) {
    const int last = shmem_n_pes() - 1, first = spread ? next_of(shmem_my_pe()) : last;
#pragma omp parallel num_threads(threads)
    {
        int pe = first;
        for (int i = 0; i < TURNS; i++) {
            if (fetches) (void)shmem_uint32_atomic_fetch_add(&word, 1, pe);
            else shmem_uint32_atomic_add(&word, 1, pe);
            if (spread) pe = next_of(pe);
        }
    }
    started += (uint64_t)TURNS * (uint64_t)threads;
}

static void measure(int active, int threads) {
    static const char *const names[2][2][2] = {
        {{"post_central_1", "post_central_16"}, {"post_spread_1", "post_spread_16"}},
        {{"fetch_central_1", "fetch_central_16"}, {"fetch_spread_1", "fetch_spread_16"}}};
    for (int fetches = 0; fetches < 2; fetches++)
        for (int spread = 0; spread < 2; spread++) {
            MEASURE(names[fetches][spread][threads > 1], active, 4, TURNS, add(spread, fetches, threads));
            shmem_quiet();
        }
}

static void check(void) {
    static uint64_t sums[2], all[2];
    shmem_barrier_all();
    sums[0] = started;
    sums[1] = word;
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, all, sums, 2);
    must_hold(all[0] == all[1], "additions were lost");
}

int main(void) {
    static const int counts[] = {1, 2, 4, 8, 16};
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    must_hold(provided == SHMEM_THREAD_MULTIPLE, "no SHMEM_THREAD_MULTIPLE");
    for (unsigned c = 0; c < 5; c++)
        for (int threads = 1; threads <= 16; threads += 15) measure(counts[c], threads);
    check();
    shmem_finalize();
    return 0;
}
