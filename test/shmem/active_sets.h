// SPDX-License-Identifier: BSD-3-Clause
// The active sets on which the deprecated collectives are tried: each start, stride and size that fits, thinned out.
#ifndef SKERRY_TEST_SHMEM_ACTIVE_SETS_H
#define SKERRY_TEST_SHMEM_ACTIVE_SETS_H

#include "test.h"

struct active_set {
    int start, log_stride, size;
    int rank; // of this PE; -1 when it is outside
};

#define ACTIVE_SETS_MAX 64

static int rank_in(const struct active_set *set, int pe) {
    int distance = pe - set->start, stride = 1 << set->log_stride;
    return distance < 0 || distance % stride || distance / stride >= set->size ? -1 : distance / stride;
}

// World number of a member.
TEST_UNUSED static int active_world(const struct active_set *set, int rank) {
    return set->start + (rank << set->log_stride);
}

// The same list in every PE: all sets of a small job, a sample of a large one's.
TEST_UNUSED static int active_sets(struct active_set *list) {
    uint64_t seed = 5;
    int count = 0;
    for (int log_stride = 0; 1 << log_stride <= pes; log_stride++)
        for (int start = 0; start < pes; start++)
            for (int size = 1; start + ((size - 1) << log_stride) < pes; size++) {
                bool whole = start == 0 && log_stride == 0 && size == pes;
                if (!whole && pes > 3 && test_below(&seed, 16) > (pes > 8 ? 0 : 3)) continue;
                if (count == ACTIVE_SETS_MAX) return count;
                list[count] = (struct active_set){start, log_stride, size, -1};
                list[count].rank = rank_in(&list[count], me);
                count++;
            }
    return count;
}

#endif
