// SPDX-License-Identifier: BSD-3-Clause
// A store through shmem_ptr rings no bell, and wakes a sleeping waiter all the same: within the limit of one sleep.
// pes: 2 3
// nodes: 1
#include "test.h"

static long word;
static double sent;

int main(void) {
    test_begin();
    int waiter = pes - 1;
    for (long value = 1; value <= 4; value++) {
        if (me == 0) {
            test_sleep_ms(100);
            volatile double *time = shmem_ptr(&sent, waiter);
            volatile long *there = shmem_ptr(&word, waiter);
            REQUIRE(time && there, "no pointer to PE %d", waiter);
            *time = test_seconds();
            shmem_fence();
            *there = value;
        } else if (me == waiter) {
            shmem_long_wait_until(&word, SHMEM_CMP_EQ, value);
            double late = test_seconds() - sent;
            REQUIRE(late < 0.5, "woke %.3f s after the store", late);
        }
        shmem_barrier_all();
    }
    return test_end();
}
