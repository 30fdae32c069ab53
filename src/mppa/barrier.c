// SPDX-License-Identifier: BSD-3-Clause
// Implements barriers of all clusters (groups of cores of an MPPA processor), and barriers of some clusters and the
// master. Programs count their arrivals in a word in the memory of the master (PE 0). They wait until a second word,
// the number of the round, changes. The last program to arrive sets the count to 0 before it increments the number of
// the round. So no program can arrive for the next round before the count is 0.
#include "internal.h"

static void pass(const char *routine, struct skerry_mppa_barrier *barrier, uint32_t count,
                 struct skerry_mppa_wait wait) {
    uint32_t round = skerry_atomic_load_32(&barrier->round, SKERRY_MPPA_MASTER);
    uint32_t arrived = skerry_atomic_fetch_add_32(&barrier->arrived, 1, SKERRY_MPPA_MASTER) + 1;
    if (arrived == count) {
        skerry_atomic_store_32(&barrier->arrived, 0, SKERRY_MPPA_MASTER);
        skerry_atomic_fetch_add_32(&barrier->round, 1, SKERRY_MPPA_MASTER);
        return;
    }
    skerry_mppa_begin_master_wait(SKERRY_MPPA_ANYTHING);
    SKERRY_MPPA_WAIT_UNTIL(skerry_atomic_load_32(&barrier->round, SKERRY_MPPA_MASTER) != round, SKERRY_MPPA_MASTER,
                           routine, &wait);
    skerry_mppa_end_master_wait();
}

// Describes a barrier of `count` programs. Those of the given clusters take part, and if `count` is larger, further programs.
static struct skerry_mppa_wait wait_for(uint64_t clusters, uint32_t count) {
    if (clusters >> MPPA_CLUSTERS != 0) return (struct skerry_mppa_wait){.pes = 0}; // other bits: a number, not a set
    const uint32_t members = skerry_mppa_count_bits((uint32_t)clusters);
    return (struct skerry_mppa_wait){.pes = (uint32_t)clusters << 1, .spare = members > count ? members - count : 0};
}

int mppa_rpc_barrier_all(void) {
    struct skerry_mppa_board *board = skerry_mppa_board();
    skerry_mppa_check_begun(__func__);
    if (skerry_my_pe() == SKERRY_MPPA_MASTER)
        skerry_fail(__func__,
                    "only a program on a cluster may call this routine; the master must call mppa_rpc_barrier instead");
    aos_fence_all(0);
    SKERRY_WAIT_UNTIL(skerry_atomic_load_32(&board->clusters, SKERRY_MPPA_MASTER) != 0, SKERRY_MPPA_MASTER);
    const uint32_t clusters = skerry_atomic_load_32(&board->clusters, SKERRY_MPPA_MASTER);
    if (skerry_my_pe() > (int)clusters)
        skerry_fail_values(
            __func__,
            "this program runs on cluster #, but the master has called mppa_rpc_server_init for only # clusters",
            (long[]){skerry_my_pe() - 1, (long)clusters}, 2);
    pass(__func__, &board->all, clusters, wait_for((1u << clusters) - 1, clusters));
    return 0;
}

// Returns the barrier of a set of clusters. Returns null if all barriers belong to other sets. The first call for a set
// takes the first free barrier, which belongs to the set until the job ends.
static struct skerry_mppa_barrier *barrier_of(uint64_t clusters) {
    struct skerry_mppa_board *board = skerry_mppa_board();
    for (int i = 0; i < SKERRY_MPPA_BARRIERS; i++) {
        struct skerry_mppa_barrier *barrier = &board->some[i];
        uint64_t held = skerry_atomic_compare_swap_64(&barrier->clusters, 0, clusters, SKERRY_MPPA_MASTER);
        if (held == 0 || held == clusters) return barrier;
    }
    return 0;
}

int mppa_rpc_barrier(unsigned long long clusters, int count) {
    skerry_mppa_check_begun(__func__);
    if (clusters == 0 || count < 1) return -1;
    struct skerry_mppa_barrier *barrier = barrier_of(clusters);
    if (!barrier) return -1;
    aos_fence_all(0);
    pass(__func__, barrier, (uint32_t)count, wait_for(clusters, (uint32_t)count));
    return 0;
}
