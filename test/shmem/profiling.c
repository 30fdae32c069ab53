// SPDX-License-Identifier: BSD-3-Clause
// A tool inside the program replaces routines and calls the pshmem_ names: its definitions are used, the library's do the
// work, and nothing else changes.
// flags: -DSKERRY_NO_INLINE
// pes: 1 2 4
#include "test.h"

#include <pshmem.h>

static int puts_seen, barriers_seen, sums_seen, adds_seen, mallocs_seen;

void shmem_long_put(long *dest, const long *source, size_t nelems, int pe) {
    puts_seen++;
    pshmem_long_put(dest, source, nelems, pe);
}

void shmem_barrier_all(void) {
    barriers_seen++;
    pshmem_barrier_all();
}

int shmem_long_sum_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce) {
    sums_seen++;
    return pshmem_long_sum_reduce(team, dest, source, nreduce);
}

long shmem_long_atomic_fetch_add(long *dest, long value, int pe) {
    adds_seen++;
    return pshmem_long_atomic_fetch_add(dest, value, pe);
}

void *shmem_malloc(size_t size) {
    mallocs_seen++;
    return pshmem_malloc(size);
}

static long word, sum;

int main(void) {
    test_begin();
    long value = 10 + me;
    shmem_long_put(&word, &value, 1, right_of(me));
    shmem_put(&word, &value, 1, right_of(me)); // the type-generic name is the same routine
    shmem_barrier_all();
    REQUIRE(word == 10 + left_of(me), "the put did not arrive");
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &word, 1);
    REQUIRE(sum == 10L * pes + (long)pes * (pes - 1) / 2, "the sum is wrong");
    REQUIRE(shmem_atomic_fetch_add(&word, 1L, me) == 10 + left_of(me), "fetch_add");
    void *block = shmem_malloc(10);
    REQUIRE(block, "no memory");
    shmem_free(block);
    REQUIRE(puts_seen == 2 && barriers_seen == 1 && sums_seen == 1 && adds_seen == 1 && mallocs_seen == 1,
            "the tool saw %d puts, %d barriers, %d sums, %d additions, %d allocations", puts_seen, barriers_seen,
            sums_seen, adds_seen, mallocs_seen);
    return test_end();
}
