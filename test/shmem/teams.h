// SPDX-License-Identifier: BSD-3-Clause
// The teams on which every collective is tried: the predefined ones, strided, reversed and nested ones, rows and columns,
// and a team of one.
#ifndef SKERRY_TEST_SHMEM_TEAMS_H
#define SKERRY_TEST_SHMEM_TEAMS_H

#include "test.h"

struct test_team {
    const char *name;
    shmem_team_t team; // SHMEM_TEAM_INVALID where this PE is not a member
    int rank;
    int size;
    bool mine_to_destroy;
};

#define TEST_TEAMS_MAX 12

static void team_enlist(struct test_team *list, int *count, const char *name, shmem_team_t team, bool destroy) {
    list[(*count)++] = (struct test_team){name, team, shmem_team_my_pe(team), shmem_team_n_pes(team), destroy};
}

static shmem_team_t team_split(shmem_team_t parent, int start, int stride, int size) {
    shmem_team_t team;
    int failed = shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team);
    REQUIRE(parent == SHMEM_TEAM_INVALID || !failed, "split of %d PEs from %d by %d refused", size, start, stride);
    return team;
}

// Collective. Fills the list and returns its length, the same in every PE.
TEST_UNUSED static int test_teams(struct test_team *list) {
    int count = 0;
    team_enlist(list, &count, "world", SHMEM_TEAM_WORLD, false);
    team_enlist(list, &count, "shared", SHMEM_TEAM_SHARED, false);
    team_enlist(list, &count, "even", team_split(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2), true);
    team_enlist(list, &count, "reversed", team_split(SHMEM_TEAM_WORLD, pes - 1, pes > 1 ? -1 : 1, pes), true);
    team_enlist(list, &count, "last alone", team_split(SHMEM_TEAM_WORLD, pes - 1, 0, 1), true);
    if (pes >= 3) team_enlist(list, &count, "all but the first", team_split(SHMEM_TEAM_WORLD, 1, 1, pes - 1), true);
    if (pes >= 4) {
        team_enlist(list, &count, "by -3", team_split(SHMEM_TEAM_WORLD, pes - 1, -3, (pes + 2) / 3), true);
        shmem_team_t row, column;
        REQUIRE(shmem_team_split_2d(SHMEM_TEAM_WORLD, 3, NULL, 0, &row, NULL, 0, &column) == 0, "2D split refused");
        team_enlist(list, &count, "row", row, true);
        team_enlist(list, &count, "column", column, true);
        shmem_team_t odd = team_split(SHMEM_TEAM_WORLD, 1, 2, pes / 2);
        team_enlist(list, &count, "odd", odd, true);
        if (odd != SHMEM_TEAM_INVALID)
            team_enlist(list, &count, "odd, reversed", team_split(odd, pes / 2 - 1, -1, pes / 2), true);
        else team_enlist(list, &count, "odd, reversed", SHMEM_TEAM_INVALID, false);
    }
    return count;
}

// Collective.
TEST_UNUSED static void test_teams_end(struct test_team *list, int count) {
    for (int i = count - 1; i >= 0; i--)
        if (list[i].mine_to_destroy) shmem_team_destroy(list[i].team);
}

// World number of a member.
TEST_UNUSED static int team_world(const struct test_team *team, int rank) {
    return shmem_team_translate_pe(team->team, rank, SHMEM_TEAM_WORLD);
}

#endif
