// SPDX-License-Identifier: BSD-3-Clause
// All PEs receive the same bits from a reduction of values that have no order: zeros of both signs and NaNs of different payloads. The
// algorithms are those of a job with a processor for each PE, whatever this machine has.
// env: SKERRY_PROCESSORS=64
// pes: 2 3 8 9 12
// ways: 2:2:tcp 6:2:all 8:2:tcp 3:3:tcp 9:3:tcp 12:3:all 4:4:tcp 12:4:all 16:4:tcp 5:3:tcp
#include "test.h"

enum { kinds = 4, rounds = 6 };
static double source[kinds], result[kinds], first[kinds];

static double nan_of(uint64_t payload) {
    const uint64_t bits = 0x7ff8000000000000u | payload;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void expect_same(const char *what, int round) {
    shmem_barrier_all();
    shmem_getmem(first, result, sizeof first, 0);
    REQUIRE(memcmp(first, result, sizeof first) == 0, "%s, round %d: PE %d has other bits than PE 0", what, round, me);
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    for (int round = 0; round < rounds; round++) {
        const int odd = (me + round) % pes;
        source[0] = odd % 2 ? 0.0 : -0.0;
        source[1] = odd == 0 ? nan_of(1) : me;
        source[2] = nan_of((uint64_t)odd + 1);
        source[3] = odd % 3 ? nan_of((uint64_t)me) : -me;
        shmem_double_max_reduce(SHMEM_TEAM_WORLD, result, source, kinds);
        expect_same("max", round);
        shmem_double_min_reduce(SHMEM_TEAM_WORLD, result, source, kinds);
        expect_same("min", round);
        shmem_double_sum_reduce(SHMEM_TEAM_WORLD, result, source, kinds);
        expect_same("sum", round);
        shmem_double_prod_reduce(SHMEM_TEAM_WORLD, result, source, kinds);
        expect_same("prod", round);
    }
    return test_end();
}
