// SPDX-License-Identifier: BSD-3-Clause
// Implements barriers of all clusters (groups of cores of an MPPA processor), and barriers of some clusters and the
// master. barrier_words.c and barrier_served.c count the arrivals.
#include "internal.h"

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
    uint32_t clusters;
    SKERRY_MPPA_AWAIT_CHANGE((clusters = skerry_atomic_load_32(&board->clusters, SKERRY_MPPA_MASTER)) != 0,
                             SKERRY_MPPA_NUMBER_OF_CLUSTERS, 0);
    if (skerry_my_pe() > (int)clusters)
        skerry_fail_values(
            __func__,
            "this program runs on cluster #, but the master has called mppa_rpc_server_init for only # clusters",
            (long[]){skerry_my_pe() - 1, (long)clusters}, 2);
    struct skerry_mppa_wait wait = wait_for((1u << clusters) - 1, clusters);
    skerry_mppa_pass_barrier(__func__, SKERRY_MPPA_ALL_CLUSTERS, clusters, &wait);
    return 0;
}

int mppa_rpc_barrier(unsigned long long clusters, int count) {
    skerry_mppa_check_begun(__func__);
    if (clusters == 0 || count < 1) return -1;
    aos_fence_all(0);
    struct skerry_mppa_wait wait = wait_for(clusters, (uint32_t)count);
    return skerry_mppa_pass_barrier(__func__, clusters, (uint32_t)count, &wait) ? 0 : -1;
}
