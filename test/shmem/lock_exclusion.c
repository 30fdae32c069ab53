// SPDX-License-Identifier: BSD-3-Clause
// Locks under contention of all PEs: never two inside, what a holder put is there for the next one, set and test mixed;
// for a static lock and one in the heap.
// ways: 64:4:tcp
#include "test.h"

static long static_lock;
static long counter, inside, history[64];

// The counter is raised by a put and a get, which is right only if nobody else is inside.
static void enter(long *lock, long round) {
    REQUIRE(shmem_long_atomic_fetch_inc(&inside, 0) == 0, "two PEs hold the lock");
    long before = shmem_long_g(&counter, 0);
    shmem_long_p(&history[before % 64], me * 1000 + round, right_of(0));
    shmem_long_p(&counter, before + 1, 0);
    shmem_long_atomic_add(&inside, -1, 0);
    shmem_clear_lock(lock); // completes what was put
}

static void contend(long *lock, int rounds) {
    for (int round = 0; round < rounds; round++) {
        if (round % 3 == 2)
            while (shmem_test_lock(lock)) continue;
        else shmem_set_lock(lock);
        enter(lock, round);
    }
    shmem_barrier_all();
    REQUIRE(shmem_long_g(&counter, 0) == (long)rounds * pes, "%ld entries of %ld were counted",
            shmem_long_g(&counter, 0), (long)rounds * pes);
    shmem_barrier_all();
    if (me == 0) counter = 0;
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    int rounds = test_rounds(15000);
    contend(&static_lock, rounds);
    long *heap_locks = shmem_calloc(3, sizeof *heap_locks);
    REQUIRE(heap_locks, "no memory");
    contend(&heap_locks[1], rounds);
    REQUIRE(heap_locks[0] == 0 && heap_locks[2] == 0, "a lock changed the words beside it");
    shmem_barrier_all();
    return test_end();
}
