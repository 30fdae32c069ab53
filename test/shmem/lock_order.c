// SPDX-License-Identifier: BSD-3-Clause
// First come, first served: PEs that ask for a held lock one after the other get it in that order. And shmem_test_lock
// says 1 while it is held, 0 once when it is free.
// ways: 64:4:tcp
#include "test.h"

#include <limits.h>

static long lock;
static long turn, order[64];

// Returns the rank of the last PE in the queue, which is in the upper half of PE 0's lock (src/primitive/lock.h).
static int last_in_queue(void) {
    const unsigned long word = (unsigned long)shmem_long_atomic_fetch(&lock, 0);
    return (int)(word >> (sizeof word * CHAR_BIT / 2)) - 1;
}

static void queue_up(int first) {
    const int place = (me - first + pes) % pes, before = (me + pes - 1) % pes, last = (first + pes - 1) % pes;
    if (place == 0) shmem_set_lock(&lock);
    shmem_barrier_all();
    REQUIRE(place == 0 || shmem_test_lock(&lock) == 1, "shmem_test_lock took a lock that is held");
    shmem_barrier_all();
    // One after the other: each PE asks when the PE before it is in the queue.
    while (last_in_queue() != (place == 0 ? last : before)) {
    }
    if (place > 0) shmem_set_lock(&lock);
    long number = shmem_long_atomic_fetch_inc(&turn, 0);
    shmem_long_p(&order[number], place, 0);
    shmem_clear_lock(&lock);
    shmem_barrier_all();
    for (int i = 0; i < pes && me == 0; i++)
        REQUIRE(order[i] == i, "turn %d went to the PE that came as number %ld", i, order[i]);
    shmem_barrier_all();
    if (me == 0) turn = 0;
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    queue_up(0);
    queue_up(pes / 2);
    if (me == pes - 1) {
        REQUIRE(shmem_test_lock(&lock) == 0, "shmem_test_lock refused a free lock");
        shmem_clear_lock(&lock);
        REQUIRE(shmem_test_lock(&lock) == 0, "shmem_test_lock refused a lock that was cleared");
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    return test_end();
}
