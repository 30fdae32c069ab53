// SPDX-License-Identifier: BSD-3-Clause
// A PE that has slept for 60 ms and more in a wait for the last word of a large put wakes soon after the put, also if a
// network writes the data, which wakes nobody: the median delay is far below the time for which a waiter sleeps without
// being called. All PEs are on one machine, so that they can compare readings of its clock.
// pes: 2 4
// alone: yes
// ways: 4:2:remote 2:2:remote
#include "test.h"

#define TRIES 9
#define ASLEEP_MS(try) (64 + 10 * (try)) // different, because a sleep that ends by itself may end at any one of them
#define SOON 0.008
#define WORDS TEST_SIZE(8192, 64)

static long inbox[WORDS], outbox[WORDS];
static double sent[TRIES]; // when each put was made
static long ready;

static int by_size(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void put_all(int waiter) {
    for (int i = 0; i < TRIES; i++) {
        shmem_long_wait_until(&ready, SHMEM_CMP_GE, i + 1);
        test_sleep_ms(ASLEEP_MS(i));
        for (int k = 0; k < WORDS; k++) outbox[k] = i + 1;
        sent[i] = test_seconds();
        shmem_long_put(inbox, outbox, WORDS, waiter);
        shmem_quiet();
    }
    shmem_putmem(sent, sent, sizeof sent, waiter);
}

int main(void) {
    test_begin();
    const int half = pes / 2, other = (me + half) % pes;
    double woke[TRIES];
    shmem_barrier_all();
    if (me < half) put_all(other);
    for (int i = 0; me >= half && i < TRIES; i++) {
        shmem_long_p(&ready, i + 1, other);
        shmem_long_wait_until(&inbox[WORDS - 1], SHMEM_CMP_EQ, i + 1);
        woke[i] = test_seconds();
    }
    shmem_barrier_all();
    if (me >= half) {
        for (int i = 0; i < TRIES; i++) woke[i] -= sent[i];
        qsort(woke, TRIES, sizeof woke[0], by_size);
        REQUIRE(woke[TRIES / 2] < SOON, "a sleeper woke %.1f ms late (median of %d)", woke[TRIES / 2] * 1e3, TRIES);
    }
    return test_end();
}
