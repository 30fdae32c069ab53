// SPDX-License-Identifier: BSD-3-Clause
// The members of SHMEM_TEAM_SHARED are the PEs whose memory this PE can access by the address that shmem_ptr returns:
// those of its node. For other PEs shmem_ptr returns NULL.
#include "test.h"

#define PES_MAX 64

static long words[PES_MAX];

int main(void) {
    test_begin();
    const int size = shmem_team_n_pes(SHMEM_TEAM_SHARED), rank = shmem_team_my_pe(SHMEM_TEAM_SHARED);
    int near = 0;
    for (int pe = 0; pe < pes; pe++) {
        const int in_team = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED);
        long *there = shmem_ptr(words, pe);
        REQUIRE((there != NULL) == (in_team >= 0), "PE %d: shmem_ptr gives %p, rank in the shared team %d", pe,
                (void *)there, in_team);
        REQUIRE(shmem_addr_accessible(words, pe) && shmem_pe_accessible(pe), "PE %d is not accessible", pe);
        if (!there) continue;
        REQUIRE(shmem_team_ptr(SHMEM_TEAM_SHARED, words, in_team) == there, "shmem_team_ptr gives another address");
        there[me] = 100 + me;
        near++;
    }
    REQUIRE(near == size, "%d PEs are accessible by a pointer, and the shared team has %d", near, size);
    const char *nodes = getenv("SKERRY_NODES");
    const int most = nodes ? (pes + atoi(nodes) - 1) / atoi(nodes) : pes;
    REQUIRE(size <= most && size >= most - 1, "the shared team has %d PEs of %d", size, pes);
    shmem_quiet();
    REQUIRE(!shmem_team_sync(SHMEM_TEAM_SHARED), "sync failed");
    for (int i = 0; i < size; i++) {
        const int pe = shmem_team_translate_pe(SHMEM_TEAM_SHARED, i, SHMEM_TEAM_WORLD);
        REQUIRE(words[pe] == 100 + pe, "the store of PE %d is not here", pe);
    }
    static long sum, one = 1;
    REQUIRE(!shmem_long_sum_reduce(SHMEM_TEAM_SHARED, &sum, &one, 1) && sum == size, "the sum is %ld", sum);
    shmem_team_t alone;
    REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_SHARED, size - 1, 1, 1, NULL, 0, &alone), "split refused");
    REQUIRE((alone != SHMEM_TEAM_INVALID) == (rank == size - 1), "the split has the wrong member");
    shmem_team_destroy(alone);
    return test_end();
}
