// SPDX-License-Identifier: BSD-3-Clause
// Each collective with 100000 elements to a member, which no small-message path can hold.
// ways: 4:2:remote
#include "teams.h"

#define ELEMENTS TEST_SIZE(100000, 1000)

static long *dest, *source;

static long value(int rank, size_t i) {
    return (long)i * 3 + rank * 1000003L;
}

static void refill(const struct test_team *team) {
    for (size_t i = 0; i < ELEMENTS; i++) source[i] = value(team->rank, i);
    shmem_team_sync(team->team);
}

static void require_all(const char *what, const long *result, long base, long scale, int members) {
    for (size_t i = 0; i < ELEMENTS; i++) {
        long expected = (long)i * 3 * members + base * scale;
        REQUIRE(result[i] == expected, "%s: element %zu is %ld, not %ld", what, i, result[i], expected);
    }
}

// Sum of the ranks below `rank`.
static long below(int rank) {
    return (long)rank * (rank - 1) / 2;
}

static void try_reductions(const struct test_team *team) {
    refill(team);
    REQUIRE(!shmem_long_sum_reduce(team->team, dest, source, ELEMENTS), "sum failed");
    require_all("sum_reduce", dest, below(team->size), 1000003, team->size);
    refill(team);
    REQUIRE(!shmem_long_max_reduce(team->team, source, source, ELEMENTS), "max failed");
    require_all("max_reduce in place", source, team->size - 1, 1000003, 1);
    refill(team);
    REQUIRE(!shmem_long_sum_inscan(team->team, source, source, ELEMENTS), "inscan failed");
    require_all("sum_inscan in place", source, below(team->rank + 1), 1000003, team->rank + 1);
    refill(team);
    REQUIRE(!shmem_long_sum_exscan(team->team, dest, source, ELEMENTS), "exscan failed");
    require_all("sum_exscan", dest, below(team->rank), 1000003, team->rank);
}

static void try_moves(const struct test_team *team) {
    int root = team->size - 1;
    refill(team);
    REQUIRE(!shmem_long_broadcast(team->team, dest, source, ELEMENTS, root), "broadcast failed");
    require_all("broadcast", dest, root, 1000003, 1);
    refill(team);
    REQUIRE(!shmem_long_fcollect(team->team, dest, source, ELEMENTS), "fcollect failed");
    for (int k = 0; k < team->size; k++) require_all("fcollect", dest + (size_t)k * ELEMENTS, k, 1000003, 1);
    refill(team);
    size_t fewer = ELEMENTS - (size_t)team->rank;
    REQUIRE(!shmem_long_collect(team->team, dest, source, fewer), "collect failed");
    size_t at = 0;
    for (int k = 0; k < team->size; k++)
        for (size_t i = 0; i < ELEMENTS - (size_t)k; i++, at++)
            REQUIRE(dest[at] == value(k, i), "collect: element %zu of member %d", i, k);
    refill(team);
    size_t block = ELEMENTS / (size_t)team->size;
    REQUIRE(!shmem_long_alltoall(team->team, dest, source, block), "alltoall failed");
    for (int k = 0; k < team->size; k++)
        for (size_t i = 0; i < block; i++)
            REQUIRE(dest[(size_t)k * block + i] == value(k, (size_t)team->rank * block + i),
                    "alltoall: element %zu of member %d", i, k);
}

int main(void) {
    test_begin();
    source = test_malloc(ELEMENTS * sizeof *source);
    dest = test_malloc((size_t)pes * ELEMENTS * sizeof *dest);
    struct test_team teams[TEST_TEAMS_MAX];
    int count = test_teams(teams);
    for (int i = 0; i<count; i += pes> 4 ? 3 : 1) {
        if (teams[i].team == SHMEM_TEAM_INVALID) continue;
        try_reductions(&teams[i]);
        try_moves(&teams[i]);
    }
    test_teams_end(teams, count);
    return test_end();
}
