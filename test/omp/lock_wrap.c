// SPDX-License-Identifier: BSD-3-Clause
// Locks whose counts of 16 bits pass the last one (SKERRY_OMP_LOCK=queue: how many have asked, and how often the lock was given
// back): exclusion, test, and nestable ones. Where locks do not count, the same from the usual state.
#include <string.h>

#include "test.h"

#define BEFORE_WRAP 3

// As if the lock had been taken and given back so often.
static void start_at(void *lock, uint16_t count) {
    const char *kind = getenv("SKERRY_OMP_LOCK");
    uint32_t word = (uint32_t)count << 16 | count;
    if (kind && strcmp(kind, "queue") == 0) memcpy(lock, &word, sizeof word);
}

static void alone(uint16_t before) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    start_at(&lock, (uint16_t)(0 - before));
    for (int i = 0; i < 2 * BEFORE_WRAP; i++) {
        if (i % 2) omp_set_lock(&lock);
        else REQUIRE(omp_test_lock(&lock), "a free lock is not taken, %d before the wrap, time %d", before, i);
        REQUIRE(!omp_test_lock(&lock), "a taken lock is taken, %d before the wrap, time %d", before, i);
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
}

// All threads wait for it when it is given back.
static void together(uint16_t before, int rounds) {
    omp_lock_t lock;
    omp_nest_lock_t nested;
    long count = 0, copy = 0, twice = 0, twice_copy = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
    start_at(&lock, (uint16_t)(0 - before));
    start_at(&nested, (uint16_t)(0 - before));
    omp_set_lock(&lock);
    omp_set_nest_lock(&nested);
#pragma omp parallel
    {
#pragma omp master
        {
            omp_unset_nest_lock(&nested);
            omp_unset_lock(&lock);
        }
        for (int i = 0; i < rounds; i++) {
            omp_set_lock(&lock);
            REQUIRE(count == copy, "two hold a lock");
            count++;
            copy++;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nested);
            REQUIRE(omp_test_nest_lock(&nested) == 2, "the second time is another");
            REQUIRE(twice == twice_copy, "two hold a nestable lock");
            twice++;
            twice_copy++;
            omp_unset_nest_lock(&nested);
            omp_unset_nest_lock(&nested);
        }
    }
    long right = (long)omp_get_max_threads() * rounds;
    REQUIRE(count == right && twice == right, "%ld and %ld of %ld", count, twice, right);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nested);
}

int main(void) {
    for (uint16_t before = 1; before <= BEFORE_WRAP; before++) alone(before);
    for (uint16_t before = 1; before <= BEFORE_WRAP + 10; before += 3) together(before, test_rounds(200));
    return 0;
}
