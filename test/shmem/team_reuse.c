// SPDX-License-Identifier: BSD-3-Clause
// Thousands of teams one after the other: every number that a destroyed team gives back works as new, in collectives of
// all kinds right after the split.
#include "test.h"

#define TEAMS 5000

static long source[40], dest[40 * 16];

static void use(shmem_team_t team, int number) {
    int size = shmem_team_n_pes(team), rank = shmem_team_my_pe(team);
    source[0] = number + rank;
    switch (number % 4) {
    case 0: {
        shmem_long_sum_reduce(team, dest, source, 1);
        long expected = (long)size * number + (long)size * (size - 1) / 2;
        REQUIRE(dest[0] == expected, "team %d: sum is %ld, not %ld", number, dest[0], expected);
        break;
    }
    case 1:
        shmem_long_broadcast(team, dest, source, 1, size - 1);
        REQUIRE(dest[0] == number + size - 1, "team %d: broadcast gave %ld", number, dest[0]);
        break;
    case 2:
        shmem_long_fcollect(team, dest, source, 1);
        for (int i = 0; i < size; i++) REQUIRE(dest[i] == number + i, "team %d: fcollect gave %ld", number, dest[i]);
        break;
    default: REQUIRE(shmem_team_sync(team) == 0, "team %d: sync failed", number);
    }
}

int main(void) {
    test_begin();
    int teams = test_rounds(TEAMS);
    for (int number = 0; number < teams && (number % 50 || test_time_left()); number++) {
        shmem_team_t team;
        int stride = number % 3 ? 1 : pes > 1 ? -1 : 1, size = pes - number % 2 * (pes > 1);
        int start = stride > 0 ? 0 : pes - 1;
        REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team), "team %d refused",
                number);
        if (team == SHMEM_TEAM_INVALID) continue;
        use(team, number);
        shmem_team_destroy(team);
    }
    shmem_barrier_all();
    return test_end();
}
