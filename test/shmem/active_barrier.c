// SPDX-License-Identifier: BSD-3-Clause
// shmem_barrier and shmem_sync on active sets: nobody leaves before all members have come, barrier completes puts, the
// same work array serves the same set again at once, and other sets after a barrier of all.
// ways: 2:2:tcp 6:2:all 8:2:tcp 3:3:tcp 9:3:tcp 12:3:all 4:4:tcp 12:4:all 16:4:tcp 5:3:tcp
#include "active_sets.h"

static long barrier_work[SHMEM_BARRIER_SYNC_SIZE];
static long sync_work[SHMEM_SYNC_SIZE];
static long box[2], stored[2];

static void use_barrier(const struct active_set *set, long round) {
    int right = active_world(set, (set->rank + 1) % set->size);
    int left = active_world(set, (set->rank + set->size - 1) % set->size);
    shmem_long_p(&box[round & 1], round * 100 + me, right);
    shmem_barrier(set->start, set->log_stride, set->size, barrier_work);
    REQUIRE(box[round & 1] == round * 100 + left, "set %d/%d/%d, round %ld: a put is missing after shmem_barrier",
            set->start, set->log_stride, set->size, round);
}

static void use_sync(const struct active_set *set, long round) {
    stored[round & 1] = round;
    (shmem_sync)(set->start, set->log_stride, set->size, sync_work);
    for (int step = 1; step < set->size; step *= 2) {
        int other = active_world(set, (set->rank + step) % set->size);
        long seen = shmem_long_g(&stored[round & 1], other);
        REQUIRE(seen == round, "set %d/%d/%d, round %ld: PE %d's store is not visible after shmem_sync: %ld",
                set->start, set->log_stride, set->size, round, other, seen);
    }
}

static void require_restored(const long *work, int count, const char *what) {
    for (int i = 0; i < count; i++)
        REQUIRE(work[i] == SHMEM_SYNC_VALUE, "%s left element %d of pSync changed", what, i);
}

int main(void) {
    test_begin();
    struct active_set sets[ACTIVE_SETS_MAX];
    int count = active_sets(sets);
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) barrier_work[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++) sync_work[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    int rounds = test_rounds(200);
    for (int i = 0; i < count; i++) {
        for (long round = 1; round <= rounds && sets[i].rank >= 0; round++) use_barrier(&sets[i], round + i * 1000);
        for (long round = 1; round <= rounds && sets[i].rank >= 0; round++) use_sync(&sets[i], round + i * 1000);
        shmem_barrier_all();
        require_restored(barrier_work, SHMEM_BARRIER_SYNC_SIZE, "shmem_barrier");
        require_restored(sync_work, SHMEM_SYNC_SIZE, "shmem_sync");
        shmem_barrier_all(); // another set takes the work arrays
    }
    return test_end();
}
