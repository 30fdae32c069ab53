// SPDX-License-Identifier: BSD-3-Clause
// Team collect and fcollect of every type on every kind of team: blocks stand in the order of the team's numbers; those of
// collect may differ in size, and be empty.
// ways: 4:2:remote
#include "collective_families.h"

#define ELEMENTS_MAX 3000 // of a member
static const size_t counts[] = {0, 1, 2, 3, 7, TEST_SIZE(64, 20), TEST_SIZE(500, 90)};

static unsigned char *dest, *source;
static _Alignas(16) unsigned char static_source[ELEMENTS_MAX * 16];
static size_t call;

static size_t result_bytes(void) {
    return (size_t)pes * ELEMENTS_MAX * 16 + 16;
}

static void try_fcollect(const struct collective_family *family, const struct test_team *team, unsigned char *from,
                         size_t count) {
    size_t bytes = count * family->size, whole = bytes * (size_t)team->size;
    call++;
    memset(dest, TEST_GUARD, whole + 16);
    test_fill(from, bytes, collective_seed(call, team->rank, 0));
    shmem_team_sync(team->team);
    REQUIRE(family->fcollect(team->team, dest, from, count) == 0, "%s fcollect returned nonzero", family->name);
    memset(from, 0x22, bytes);
    for (int i = 0; i < team->size; i++)
        require_block(dest + (size_t)i * bytes, bytes, collective_seed(call, i, 0), "fcollect", family->name,
                      team->name, count, i);
    require_guard(dest + whole, 16, "fcollect", family->name, team->name, count);
}

// Member i contributes a number of elements that depends on i; some contribute none.
static size_t share(size_t count, int rank) {
    return rank % 3 == 1 ? 0 : count + (size_t)rank * 5 % 7;
}

static void try_collect(const struct collective_family *family, const struct test_team *team, unsigned char *from,
                        size_t count, bool equal) {
    size_t whole = 0;
    call++;
    for (int i = 0; i < team->size; i++) whole += (equal ? count : share(count, i)) * family->size;
    memset(dest, TEST_GUARD, whole + 16);
    size_t mine = equal ? count : share(count, team->rank);
    test_fill(from, mine * family->size, collective_seed(call, team->rank, 0));
    shmem_team_sync(team->team);
    REQUIRE(family->collect(team->team, dest, from, mine) == 0, "%s collect returned nonzero", family->name);
    memset(from, 0x22, mine * family->size);
    unsigned char *block = dest;
    for (int i = 0; i < team->size; i++) {
        size_t bytes = (equal ? count : share(count, i)) * family->size;
        require_block(block, bytes, collective_seed(call, i, 0), "collect", family->name, team->name, count, i);
        block += bytes;
    }
    require_guard(block, 16, "collect", family->name, team->name, count);
}

static void try_team(const struct test_team *team) {
    call = 0; // the same in all members, whichever other teams they are in
    for (size_t f = 0; f < COLLECTIVE_FAMILIES; f++)
        for (size_t c = 0; c < TEST_COUNT(counts); c++) {
            if (pes > 8 && (f + c) % 3) continue; // fewer with many PEs
            try_fcollect(&collective_families[f], team, c % 2 ? source : static_source, counts[c]);
            try_collect(&collective_families[f], team, c % 2 ? static_source : source, counts[c], false);
        }
    try_collect(&collective_families[0], team, source, 13, true);
    try_fcollect(&collective_families[1], team, source, ELEMENTS_MAX);
    try_collect(&collective_families[2], team, source, ELEMENTS_MAX - 10, false);
}

int main(void) {
    test_begin();
    dest = test_malloc(result_bytes());
    source = test_malloc(ELEMENTS_MAX * 16);
    struct test_team teams[TEST_TEAMS_MAX];
    int count = test_teams(teams);
    for (int i = 0; i < count; i++)
        if (teams[i].team != SHMEM_TEAM_INVALID) try_team(&teams[i]);
    test_teams_end(teams, count);
    return test_end();
}
