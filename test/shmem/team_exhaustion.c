// SPDX-License-Identifier: BSD-3-Clause
// Teams until there are no more: the last split fails in all PEs alike and leaves everything usable; after some are
// destroyed as many can be made again.
// pes: 1 2 3 4 8 16
#include "test.h"

#define TEAMS_MAX TEST_SIZE(100000, 1000)

static shmem_team_t teams[TEAMS_MAX];
static int outcome, worst, best;

static bool agree(int failed) {
    outcome = failed != 0;
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &worst, &outcome, 1);
    shmem_int_min_reduce(SHMEM_TEAM_WORLD, &best, &outcome, 1);
    REQUIRE(worst == best, "a split failed in some PEs only");
    return !failed;
}

static int make_until_full(int from) {
    int count = from;
    while (count < TEAMS_MAX) {
        shmem_team_t team = SHMEM_TEAM_WORLD;
        int failed = shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &team);
        REQUIRE(!failed == (team != SHMEM_TEAM_INVALID), "a failed split left a team, or a successful one none");
        if (failed) break;
        teams[count++] = team;
    }
    outcome = count;
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &worst, &outcome, 1);
    shmem_int_min_reduce(SHMEM_TEAM_WORLD, &best, &outcome, 1);
    REQUIRE(worst == best, "some PEs made %d teams, others %d", best, worst);
    return count;
}

int main(void) {
    test_begin();
    int full = make_until_full(0);
    REQUIRE(full >= TEST_SIZE(100, 4), "only %d teams", full);
    shmem_team_t row = SHMEM_TEAM_WORLD, column = SHMEM_TEAM_WORLD;
    REQUIRE(!agree(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column)) &&
                row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID,
            "a 2D split without room for its teams must fail as a whole");
    for (int i = 0; i < full; i += 97) REQUIRE(shmem_team_sync(teams[i]) == 0, "team %d of %d does not work", i, full);
    shmem_barrier_all();
    int kept = full / 2;
    for (int i = full - 1; i >= kept; i--) shmem_team_destroy(teams[i]);
    int again = make_until_full(kept);
    REQUIRE(again == full, "%d teams at first, %d after destroying half of them", full, again);
    for (int i = 0; i < full; i++) shmem_team_destroy(teams[i]);
    REQUIRE(agree(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column)), "2D split with room");
    return test_end(); // row and column are left: finalize destroys them
}
