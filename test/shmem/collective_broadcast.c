// SPDX-License-Identifier: BSD-3-Clause
// Team broadcast of every type, from every root, on every kind of team: all members have the root's data, the root too,
// and nothing beside it; the source keeps its content and may be reused at once.
// ways: 4:2:remote
#include "collective_families.h"

#define ELEMENTS_MAX TEST_SIZE(70000, 2000)
#define BYTES_MAX (ELEMENTS_MAX * 16)
static const size_t counts[] = {0, 1, 2, 3, 7, 64, TEST_SIZE(1000, 300)};

static unsigned char *dest, *source;
static _Alignas(16) unsigned char static_dest[1024 * 16], static_source[1024 * 16];
static size_t call;

static void try_one(const struct collective_family *family, const struct test_team *team, unsigned char *to,
                    unsigned char *from, size_t count, int root) {
    size_t bytes = count * family->size;
    uint64_t seed = collective_seed(++call, team_world(team, root), 0);
    memset(to, TEST_GUARD, bytes + 16);
    if (team->rank == root) test_fill(from, bytes, seed);
    else memset(from, 0x11, bytes);
    shmem_team_sync(team->team); // every dest is ready
    REQUIRE(family->broadcast(team->team, to, from, count, root) == 0, "%s broadcast returned nonzero", family->name);
    if (team->rank == root) memset(from, 0x22, bytes);
    require_block(to, bytes, seed, "broadcast", family->name, team->name, count, root);
    require_guard(to + bytes, 16, "broadcast", family->name, team->name, count);
}

static void try_team(const struct test_team *team) {
    call = 0; // the same in all members, whichever other teams they are in
    for (size_t f = 0; f < COLLECTIVE_FAMILIES; f++)
        for (size_t c = 0; c < TEST_COUNT(counts); c++) {
            int root = (int)((f + c) % (size_t)team->size);
            if (c % 2) try_one(&collective_families[f], team, dest, static_source, counts[c], root);
            else try_one(&collective_families[f], team, static_dest, source, counts[c], root);
        }
    for (int root = 0; root < team->size; root++)
        try_one(&collective_families[COLLECTIVE_FAMILIES - 1], team, dest, source, 9, root);
    for (size_t count = 2000; count <= ELEMENTS_MAX; count = count * 3 + 1)
        try_one(&collective_families[2], team, dest, source, count, team->size / 2);
}

int main(void) {
    test_begin();
    dest = test_malloc(BYTES_MAX + 16);
    source = test_malloc(BYTES_MAX);
    struct test_team teams[TEST_TEAMS_MAX];
    int count = test_teams(teams);
    for (int i = 0; i < count; i++)
        if (teams[i].team != SHMEM_TEAM_INVALID) try_team(&teams[i]);
    test_teams_end(teams, count);
    return test_end();
}
