// SPDX-License-Identifier: BSD-3-Clause
// Broadcast, fcollect, alltoall and sums of 0 bytes to 4 MB, on the world, on a reversed team and on every second PE. The
// sizes lie on both sides of the limits between algorithms.
// pes: 2 4 7
// ways: 3:3:tcp 4:4:tcp 8:2:tcp 12:4:all
#include "teams.h"

#define MOST TEST_SIZE((size_t)4 << 20, (size_t)2048)
#define LARGE (MOST / 4 + 1) // larger sizes are tried on the world only

static char *source, *dest;

static void ready(const struct test_team *team) {
    memset(dest, TEST_GUARD, MOST + 1);
    shmem_team_sync(team->team);
}

static void require_filled(const char *what, size_t at, size_t bytes, uint64_t seed) {
    size_t wrong = test_first_wrong(dest + at, bytes, seed);
    REQUIRE(wrong == bytes, "%s of %zu bytes: byte %zu of the block at %zu is wrong", what, bytes, wrong, at);
}

static void require_end(const char *what, size_t bytes) {
    REQUIRE((unsigned char)dest[bytes] == TEST_GUARD, "%s of %zu bytes wrote behind its result", what, bytes);
}

static void try_broadcast(const struct test_team *team, size_t bytes, int root) {
    test_fill(source, bytes, (uint64_t)(unsigned)team->rank);
    ready(team);
    REQUIRE(!shmem_broadcastmem(team->team, dest, source, bytes, root), "broadcast failed");
    if (team->rank == root) memset(source, 0, bytes);
    require_filled("broadcast", 0, bytes, (uint64_t)(unsigned)root);
    require_end("broadcast", bytes);
}

static void try_fcollect(const struct test_team *team, size_t all) {
    const size_t bytes = all / (unsigned)team->size;
    test_fill(source, bytes, (uint64_t)(unsigned)team->rank);
    ready(team);
    REQUIRE(!shmem_fcollectmem(team->team, dest, source, bytes), "fcollect failed");
    memset(source, 0, bytes);
    for (int i = 0; i < team->size; i++) require_filled("fcollect", (unsigned)i * bytes, bytes, (uint64_t)(unsigned)i);
    require_end("fcollect", bytes * (unsigned)team->size);
}

static void try_alltoall(const struct test_team *team, size_t all) {
    const size_t bytes = all / (unsigned)team->size;
    for (int i = 0; i < team->size; i++)
        test_fill(source + (unsigned)i * bytes, bytes, (uint64_t)(unsigned)(team->rank * 100 + i));
    ready(team);
    REQUIRE(!shmem_alltoallmem(team->team, dest, source, bytes), "alltoall failed");
    memset(source, 0, bytes * (unsigned)team->size);
    for (int i = 0; i < team->size; i++)
        require_filled("alltoall", (unsigned)i * bytes, bytes, (uint64_t)(unsigned)(i * 100 + team->rank));
    require_end("alltoall", bytes * (unsigned)team->size);
}

static void try_sum(const struct test_team *team, size_t bytes) {
    const size_t count = bytes / sizeof(long);
    long *elements = (long *)(void *)source, *sums = (long *)(void *)dest;
    for (size_t i = 0; i < count; i++) elements[i] = (long)i * (team->rank + 1);
    ready(team);
    REQUIRE(!shmem_long_sum_reduce(team->team, sums, elements, count), "sum failed");
    memset(source, 0, count * sizeof(long));
    for (size_t i = 0; i < count; i++) {
        long expected = (long)i * team->size * (team->size + 1) / 2;
        REQUIRE(sums[i] == expected, "sum of %zu bytes: element %zu is %ld, not %ld", bytes, i, sums[i], expected);
    }
    require_end("sum", count * sizeof(long));
}

int main(void) {
    static const size_t sizes[] = {0,    1,    8,    55,    56,    57,     64,      1000,
                                   2048, 2049, 8193, 32768, 65537, 300000, 1048577, 4194304};
    test_begin();
    source = test_malloc(MOST);
    dest = test_malloc(MOST + 1);
    struct test_team teams[TEST_TEAMS_MAX];
    const int count = test_teams(teams);
    for (int t = 0; t < count; t++) {
        const struct test_team *team = &teams[t];
        if (team->team == SHMEM_TEAM_INVALID) continue;
        if (strcmp(team->name, "world") && strcmp(team->name, "reversed") && strcmp(team->name, "odd")) continue;
        for (size_t i = 0; i < TEST_COUNT(sizes) && sizes[i] <= MOST; i++) {
            if (t > 0 && sizes[i] > LARGE) break;
            try_broadcast(team, sizes[i], (int)i % team->size);
            try_fcollect(team, sizes[i]);
            try_alltoall(team, sizes[i]);
            try_sum(team, sizes[i]);
        }
    }
    test_teams_end(teams, count);
    return test_end();
}
