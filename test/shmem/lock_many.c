// SPDX-License-Identifier: BSD-3-Clause
// Hundreds of locks at once, several held by one PE (always taken in ascending order), each guarding its own counter.
#include "test.h"

#define LOCKS 300

static long locks[LOCKS];
static long counters[LOCKS];

static void raise_counter(int i) {
    long value = shmem_long_g(&counters[i], i % pes);
    shmem_long_p(&counters[i], value + 1, i % pes);
}

int main(void) {
    test_begin();
    static long raised[LOCKS], total[LOCKS];
    uint64_t seed = (uint64_t)me + 1;
    int rounds = test_rounds(12000);
    for (int round = 0; round < rounds; round++) {
        int first = (int)test_below(&seed, LOCKS - 40), second = first + 1 + (int)test_below(&seed, 10);
        int third = second + 1 + (int)test_below(&seed, 20);
        const int held[] = {first, second, third};
        for (int i = 0; i < 3; i++) shmem_set_lock(&locks[held[i]]);
        for (int i = 0; i < 3; i++) raise_counter(held[i]);
        for (int i = 0; i < 3; i++) raised[held[i]]++;
        for (int i = 0; i < 3; i++) shmem_clear_lock(&locks[held[(i + round) % 3]]);
    }
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, total, raised, LOCKS);
    for (int i = 0; i < LOCKS; i++)
        if (i % pes == me) REQUIRE(counters[i] == total[i], "lock %d: %ld of %ld counted", i, counters[i], total[i]);
    shmem_barrier_all();
    return test_end();
}
