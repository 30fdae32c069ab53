// SPDX-License-Identifier: BSD-3-Clause
// Teams of teams of teams: halves down to single PEs, each level alive at once and used in any order, numbers alternately
// forward and reversed.
// ways: 64:4:tcp
#include "test.h"

#define LEVELS_MAX 12

static long source, sum;

// Splits `team` into a lower and an upper half; returns the half that this PE is in.
static shmem_team_t half_of(shmem_team_t team, bool reversed) {
    int size = shmem_team_n_pes(team), rank = shmem_team_my_pe(team), lower_size = size / 2;
    shmem_team_t lower, upper;
    REQUIRE(!shmem_team_split_strided(team, reversed ? lower_size - 1 : 0, reversed ? -1 : 1, lower_size, NULL, 0,
                                      &lower) &&
                !shmem_team_split_strided(team, reversed ? size - 1 : lower_size, reversed ? -1 : 1, size - lower_size,
                                          NULL, 0, &upper),
            "split into halves refused");
    REQUIRE((lower != SHMEM_TEAM_INVALID) != (upper != SHMEM_TEAM_INVALID), "a PE is in one half");
    REQUIRE((lower != SHMEM_TEAM_INVALID) == (rank < lower_size), "a PE is in its own half");
    return lower != SHMEM_TEAM_INVALID ? lower : upper;
}

static void require_sum(shmem_team_t team) {
    long expected = 0;
    for (int i = 0; i < shmem_team_n_pes(team); i++) expected += shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);
    source = me;
    REQUIRE(!shmem_long_sum_reduce(team, &sum, &source, 1), "sum failed");
    REQUIRE(sum == expected, "the sum over a team of %d is %ld, not %ld", shmem_team_n_pes(team), sum, expected);
}

int main(void) {
    test_begin();
    shmem_team_t levels[LEVELS_MAX] = {SHMEM_TEAM_WORLD};
    for (int round = 0; round < 10; round++) {
        int depth = 1;
        while (shmem_team_n_pes(levels[depth - 1]) > 1) {
            levels[depth] = half_of(levels[depth - 1], (depth + round) % 2);
            depth++;
        }
        for (int i = depth - 1; i >= 0; i--) require_sum(levels[i]);
        for (int i = 0; i < depth; i++) require_sum(levels[i]);
        for (int i = depth - 1; i >= 1; i--) shmem_team_destroy(levels[i]);
    }
    return test_end();
}
