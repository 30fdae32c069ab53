// SPDX-License-Identifier: BSD-3-Clause
// shmem_team_split_strided with every start, stride and size: members are numbered along the triplet, others get no team,
// triplets that leave the parent are refused everywhere alike; on the world and on a reversed, strided parent.
#include "test.h"

// World number of rank `rank` of the parent.
static int parent_world(shmem_team_t parent, int rank) {
    return shmem_team_translate_pe(parent, rank, SHMEM_TEAM_WORLD);
}

static void require_numbering(shmem_team_t parent, shmem_team_t team, int start, int stride, int size) {
    int rank = shmem_team_my_pe(team);
    REQUIRE(shmem_team_n_pes(team) == size, "split %d/%d/%d has %d PEs", start, stride, size, shmem_team_n_pes(team));
    REQUIRE(parent_world(parent, start + rank * stride) == me, "split %d/%d/%d: PE %d has rank %d", start, stride, size,
            me, rank);
    for (int i = 0; i < size; i++) {
        int world = parent_world(parent, start + i * stride);
        REQUIRE(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD) == world, "split %d/%d/%d: rank %d is not PE %d",
                start, stride, size, i, world);
        REQUIRE(shmem_team_translate_pe(SHMEM_TEAM_WORLD, world, team) == i, "split %d/%d/%d: PE %d is not rank %d",
                start, stride, size, world, i);
    }
}

static void try_split(shmem_team_t parent, int start, int stride, int size) {
    int parent_size = shmem_team_n_pes(parent), mine = shmem_team_my_pe(parent);
    int last = start + (size - 1) * stride;
    bool valid =
        size >= 1 && start >= 0 && start < parent_size && last >= 0 && last < parent_size && (stride || size == 1);
    bool member = false;
    for (int i = 0; i < size && valid; i++) member = member || start + i * stride == mine;
    shmem_team_t team = SHMEM_TEAM_WORLD;
    int failed = shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team);
    REQUIRE((failed == 0) == valid, "split %d/%d/%d of %d PEs returned %d", start, stride, size, parent_size, failed);
    REQUIRE((team != SHMEM_TEAM_INVALID) == member, "split %d/%d/%d: PE %d %s a team", start, stride, size, me,
            member ? "should have" : "should not have");
    if (!member) return;
    require_numbering(parent, team, start, stride, size);
    REQUIRE(shmem_team_sync(team) == 0, "sync on a new team");
    shmem_team_destroy(team);
}

static void try_parent(shmem_team_t parent, int step) {
    if (parent == SHMEM_TEAM_INVALID) return;
    int size = shmem_team_n_pes(parent);
    for (int start = -1; start <= size; start += step)
        for (int stride = -3; stride <= 3; stride++)
            for (int members = 0; members <= size + 1; members += step) {
                if (stride == 0 && members > 1) continue; // undefined
                try_split(parent, start, stride, members);
            }
}

static void refuse_invalid_parent(void) {
    shmem_team_t team = SHMEM_TEAM_WORLD, other = SHMEM_TEAM_WORLD;
    REQUIRE(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0 && team == SHMEM_TEAM_INVALID,
            "a split of no team must fail");
    team = SHMEM_TEAM_WORLD;
    REQUIRE(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &team, NULL, 0, &other) != 0 &&
                team == SHMEM_TEAM_INVALID && other == SHMEM_TEAM_INVALID,
            "a 2D split of no team must fail");
    shmem_team_destroy(SHMEM_TEAM_INVALID);
}

int main(void) {
    test_begin();
    REQUIRE(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me && shmem_team_n_pes(SHMEM_TEAM_WORLD) == pes, "the world team");
    REQUIRE(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1,
            "the invalid team");
    int step = pes > 8 ? 5 : pes > 4 ? 3 : 1;
    try_parent(SHMEM_TEAM_WORLD, step);
    shmem_team_t reversed;
    REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, pes > 2 ? -2 : -1,
                                      (pes + (pes > 2)) / (pes > 2 ? 2 : 1), NULL, 0, &reversed),
            "no reversed team");
    try_parent(reversed, step);
    shmem_team_destroy(reversed);
    refuse_invalid_parent();
    return test_end();
}
