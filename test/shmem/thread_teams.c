// SPDX-License-Identifier: BSD-3-Clause
// Each thread has a team of its own and runs collectives on it, and splits and destroys further teams from it, while the
// other threads do the same on theirs.
// threads: yes
// pes: 1 2 3 4 8
#include "threads.h"

#define COUNT 50

static shmem_team_t teams[THREADS];
static long sources[THREADS][COUNT], results[THREADS][COUNT * 16];

static void collectives(int number, shmem_team_t team, long round) {
    int size = shmem_team_n_pes(team), rank = shmem_team_my_pe(team);
    size_t count = 1 + (size_t)round % COUNT;
    long *source = sources[number], *result = results[number];
    for (size_t i = 0; i < count; i++) source[i] = round * 100 + rank + (long)i;
    shmem_team_sync(team);
    shmem_long_sum_reduce(team, result, source, count);
    for (size_t i = 0; i < count; i++) {
        long expected = size * (round * 100 + (long)i) + (long)size * (size - 1) / 2;
        REQUIRE(result[i] == expected, "thread %d, round %ld: sum %zu is %ld, not %ld", number, round, i, result[i],
                expected);
    }
    shmem_team_sync(team);
    shmem_long_fcollect(team, result, source, count);
    for (int k = 0; k < size; k++)
        REQUIRE(result[(size_t)k * count] == round * 100 + k, "thread %d, round %ld: fcollect of member %d", number,
                round, k);
    shmem_team_sync(team);
    shmem_long_broadcast(team, result, source, count, (int)round % size);
    REQUIRE(result[0] == round * 100 + round % size, "thread %d, round %ld: broadcast", number, round);
}

static void work(int number) {
    int rounds = test_rounds(300);
    for (long round = 0; round < rounds; round++) {
        collectives(number, teams[number], round);
        shmem_team_t part;
        REQUIRE(
            !shmem_team_split_strided(teams[number], 0, 1, (shmem_team_n_pes(teams[number]) + 1) / 2, NULL, 0, &part),
            "thread %d, round %ld: split refused", number, round);
        if (part == SHMEM_TEAM_INVALID) continue;
        collectives(number, part, round);
        shmem_team_destroy(part);
    }
}

int main(void) {
    test_begin_threads();
    for (int i = 0; i < THREADS; i++) {
        int stride = i % 2 && pes > 1 ? -1 : 1;
        REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_WORLD, stride > 0 ? 0 : pes - 1, stride, pes, NULL, 0, &teams[i]),
                "no team");
    }
    test_run_threads(work);
    for (int i = 0; i < THREADS; i++) shmem_team_destroy(teams[i]);
    return test_end();
}
