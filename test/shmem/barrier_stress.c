// SPDX-License-Identifier: BSD-3-Clause
// Nobody leaves a barrier before all have come, and what was written before is there after: barrier_all completes puts and
// atomics, sync_all and team_sync plain stores; thousands of times without a pause.
// ways: 2:2:tcp 6:2:all 8:2:tcp 3:3:tcp 9:3:tcp 12:3:all 4:4:tcp 12:4:all 16:4:tcp 5:3:tcp 64:4:tcp
#include "test.h"

static long box[2][64];
static long stored[2];
static long arrivals;

static void by_barrier(long round) {
    long value = round * 100 + me;
    long *slot = &box[round & 1][0];
    shmem_long_put_nbi(&slot[0], &value, 1, right_of(me));
    shmem_long_p(&slot[1], value, right_of(me));
    shmem_long_atomic_add(&arrivals, 1, 0);
    shmem_barrier_all();
    long expected = round * 100 + left_of(me);
    REQUIRE(slot[0] == expected && slot[1] == expected, "round %ld: a put is missing after barrier_all", round);
    long count = shmem_long_atomic_fetch(&arrivals, 0);
    REQUIRE(count >= round * pes, "round %ld: left the barrier with %ld arrivals of %ld", round, count, round * pes);
}

static void by_sync(long round, shmem_team_t team) {
    stored[round & 1] = round;
    if (team == SHMEM_TEAM_INVALID) shmem_sync_all();
    else REQUIRE(shmem_team_sync(team) == 0, "shmem_team_sync failed");
    for (int step = 1; step < pes; step *= 2) {
        long seen = shmem_long_g(&stored[round & 1], (me + step) % pes);
        REQUIRE(seen == round, "round %ld: PE %d's plain store is not visible after a sync: %ld", round,
                (me + step) % pes, seen);
    }
}

int main(void) {
    test_begin();
    int rounds = test_rounds(40000);
    for (long round = 1; round <= rounds && (round % 100 || test_time_left()); round++) by_barrier(round);
    shmem_team_t backwards;
    REQUIRE(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, pes > 1 ? -1 : 1, pes, NULL, 0, &backwards) == 0,
            "no team");
    for (long round = 1; round <= rounds && (round % 100 || test_time_left()); round++)
        by_sync(round, round % 3 == 0 ? SHMEM_TEAM_INVALID : round % 3 == 1 ? SHMEM_TEAM_WORLD : backwards);
    shmem_team_destroy(backwards);
    return test_end();
}
