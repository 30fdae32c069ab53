// SPDX-License-Identifier: BSD-3-Clause
// Passes barriers on machines whose programs load and store in the master's memory (PE 0). Programs count their arrivals in
// a word there. They wait until a second word, the number of the round, changes. The last program to arrive sets the count
// to 0 before it increments the number of the round. So no program can arrive for the next round before the count is 0.
#include "internal.h"

#if SKERRY_PRIVATE_MEMORY

// Returns the barrier of a set of clusters. Returns null if all barriers belong to other sets. The first call for a set
// takes the first free barrier, which belongs to the set until the job ends. Barrier 0 is the one of all clusters.
static struct skerry_mppa_barrier *barrier_of(uint64_t clusters) {
    struct skerry_mppa_board *board = skerry_mppa_board();
    if (clusters == SKERRY_MPPA_ALL_CLUSTERS) return &board->barriers[0];
    for (int i = 1; i < SKERRY_MPPA_BARRIERS; i++) {
        struct skerry_mppa_barrier *barrier = &board->barriers[i];
        uint64_t held = skerry_atomic_compare_swap_64(&barrier->clusters, 0, clusters, SKERRY_MPPA_MASTER);
        if (held == 0 || held == clusters) return barrier;
    }
    return 0;
}

bool skerry_mppa_pass_barrier(const char *routine, uint64_t clusters, uint32_t count, struct skerry_mppa_wait *wait) {
    struct skerry_mppa_barrier *barrier = barrier_of(clusters);
    if (!barrier) return false;
    uint32_t round = skerry_atomic_load_32(&barrier->round, SKERRY_MPPA_MASTER);
    uint32_t arrived = skerry_atomic_fetch_add_32(&barrier->arrived, 1, SKERRY_MPPA_MASTER) + 1;
    if (arrived == count) {
        skerry_atomic_store_32(&barrier->arrived, 0, SKERRY_MPPA_MASTER);
        skerry_atomic_fetch_add_32(&barrier->round, 1, SKERRY_MPPA_MASTER);
        return true;
    }
    skerry_mppa_begin_master_wait(SKERRY_MPPA_ANYTHING);
    SKERRY_MPPA_WAIT_UNTIL(skerry_atomic_load_32(&barrier->round, SKERRY_MPPA_MASTER) != round, SKERRY_MPPA_MASTER,
                           routine, wait);
    skerry_mppa_end_master_wait();
    return true;
}

#endif
