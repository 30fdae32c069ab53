// SPDX-License-Identifier: BSD-3-Clause
// shmem_team_translate_pe between every pair of teams agrees with the teams' membership, and says -1 for PEs outside;
// shmem_team_ptr follows the team's numbers.
#include "teams.h"

static int object;

// What translation must give, found by a search.
static int translate(const struct test_team *from, int rank, const struct test_team *to) {
    int world = team_world(from, rank);
    for (int i = 0; i < to->size; i++)
        if (team_world(to, i) == world) return i;
    return -1;
}

static void try_pair(const struct test_team *from, const struct test_team *to) {
    for (int rank = 0; rank < from->size; rank++) {
        int got = shmem_team_translate_pe(from->team, rank, to->team), expected = translate(from, rank, to);
        REQUIRE(got == expected, "rank %d of %s is %d of %s, not %d", rank, from->name, expected, to->name, got);
    }
    REQUIRE(shmem_team_translate_pe(from->team, -1, to->team) == -1, "rank -1 of %s", from->name);
    REQUIRE(shmem_team_translate_pe(from->team, from->size, to->team) == -1, "a rank past the end of %s", from->name);
    REQUIRE(shmem_team_translate_pe(from->team, 0, SHMEM_TEAM_INVALID) == -1, "translation to no team");
    REQUIRE(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, to->team) == -1, "translation from no team");
}

static void try_pointers(const struct test_team *team) {
    for (int rank = 0; rank < team->size; rank++) {
        void *direct = shmem_ptr(&object, team_world(team, rank));
        REQUIRE(shmem_team_ptr(team->team, &object, rank) == direct, "shmem_team_ptr on %s", team->name);
    }
    int local = 0;
    REQUIRE(!shmem_team_ptr(team->team, &local, 0), "shmem_team_ptr of an object on the stack");
    REQUIRE(!shmem_team_ptr(SHMEM_TEAM_INVALID, &object, 0), "shmem_team_ptr of no team");
}

int main(void) {
    test_begin();
    struct test_team teams[TEST_TEAMS_MAX];
    int count = test_teams(teams);
    for (int i = 0; i < count; i++) {
        if (teams[i].team == SHMEM_TEAM_INVALID) continue;
        try_pointers(&teams[i]);
        for (int k = 0; k < count; k++)
            if (teams[k].team != SHMEM_TEAM_INVALID) try_pair(&teams[i], &teams[k]);
    }
    test_teams_end(teams, count);
    return test_end();
}
