// SPDX-License-Identifier: BSD-3-Clause
// Team alltoall and alltoalls of every type on every kind of team: block i of member k becomes block k of member i; with
// strides from 1 up on both sides only the strided elements are touched.
// ways: 4:2:remote
#include "collective_families.h"

#define ELEMENTS_MAX 600
static const size_t counts[] = {0, 1, 2, 3, 7, TEST_SIZE(64, 20), ELEMENTS_MAX};
static const ptrdiff_t strides[][2] = {{1, 1}, {2, 1}, {1, 3}, {3, 2}};

static unsigned char *dest, *source, *expected;
static size_t call;

static void try_alltoall(const struct collective_family *family, const struct test_team *team, size_t count) {
    size_t bytes = count * family->size, whole = bytes * (size_t)team->size;
    call++;
    memset(dest, TEST_GUARD, whole + 16);
    for (int i = 0; i < team->size; i++)
        test_fill(source + (size_t)i * bytes, bytes, collective_seed(call, team->rank, i));
    shmem_team_sync(team->team);
    REQUIRE(family->alltoall(team->team, dest, source, count) == 0, "%s alltoall returned nonzero", family->name);
    memset(source, 0x22, whole);
    for (int i = 0; i < team->size; i++)
        require_block(dest + (size_t)i * bytes, bytes, collective_seed(call, i, team->rank), "alltoall", family->name,
                      team->name, count, i);
    require_guard(dest + whole, 16, "alltoall", family->name, team->name, count);
}

// One element of member `from` for member `to`.
static void element(unsigned char *at, size_t size, int from, int to, size_t number) {
    test_fill(at, size, collective_seed(call, from, to) * 13 + number);
}

static void try_alltoalls(const struct collective_family *family, const struct test_team *team, size_t count,
                          ptrdiff_t dst, ptrdiff_t sst) {
    size_t size = family->size, members = (size_t)team->size;
    size_t whole = (count * members * (size_t)dst + 1) * size;
    call++;
    memset(dest, TEST_GUARD, whole);
    memset(expected, TEST_GUARD, whole);
    for (size_t i = 0; i < members; i++)
        for (size_t e = 0; e < count; e++) {
            element(source + (i * count + e) * (size_t)sst * size, size, team->rank, (int)i, e);
            element(expected + (i * count + e) * (size_t)dst * size, size, (int)i, team->rank, e);
        }
    shmem_team_sync(team->team);
    REQUIRE(family->alltoalls(team->team, dest, source, dst, sst, count) == 0, "%s alltoalls returned nonzero",
            family->name);
    memset(source, 0x22, count * members * (size_t)sst * size);
    for (size_t at = 0; at < whole; at++)
        REQUIRE(dest[at] == expected[at], "%s alltoalls of %zu on team %s, strides %td and %td: byte %zu is wrong",
                family->name, count, team->name, dst, sst, at);
}

static void try_team(const struct test_team *team) {
    call = 0; // the same in all members, whichever other teams they are in
    for (size_t f = 0; f < COLLECTIVE_FAMILIES; f++)
        for (size_t c = 0; c < TEST_COUNT(counts); c++) {
            if (pes > 4 && (f + c) % 4) continue; // fewer with many PEs
            try_alltoall(&collective_families[f], team, counts[c]);
            const ptrdiff_t *stride = strides[(f + c / 4) % TEST_COUNT(strides)];
            try_alltoalls(&collective_families[f], team, counts[c] % 100, stride[0], stride[1]);
        }
}

int main(void) {
    test_begin();
    size_t bytes = (size_t)pes * ELEMENTS_MAX * 16 + 64;
    dest = test_malloc(bytes);
    source = test_malloc(bytes);
    expected = malloc(bytes);
    REQUIRE(expected, "no memory");
    struct test_team teams[TEST_TEAMS_MAX];
    int count = test_teams(teams);
    for (int i = 0; i < count; i++)
        if (teams[i].team != SHMEM_TEAM_INVALID) try_team(&teams[i]);
    test_teams_end(teams, count);
    return test_end();
}
