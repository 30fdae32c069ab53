// SPDX-License-Identifier: BSD-3-Clause
// Every thread may block on its own word while others of the PE go on: tokens run round the ring of PEs, one for each
// thread at its own speed; and a thread wakes another of the same PE, also after a sleep.
// threads: yes
// pes: 1 2 4 8
// ways: 4:2:remote 64:4:tcp
#include "threads.h"

// A lap takes as many steps as the job has PEs. With more than 8 PEs all of them share few processors, and there are fewer
// laps.
static int laps(void) {
    return pes <= 8 ? 200 : 1600 / pes + 2;
}

static long tokens[THREADS];
static uint64_t signals[THREADS];
static long flags[2];

static void run_token(int number) {
    for (long lap = 1; lap <= laps(); lap++) {
        if (me == 0) shmem_long_p(&tokens[number], lap, right_of(me));
        if (number % 2) shmem_long_wait_until(&tokens[number], SHMEM_CMP_GE, lap);
        else
            while (!shmem_long_test(&tokens[number], SHMEM_CMP_GE, lap)) continue;
        if (me != 0) shmem_long_p(&tokens[number], lap, right_of(me));
        shmem_signal_add(&signals[number], 1, right_of(me));
        shmem_signal_wait_until(&signals[number], SHMEM_CMP_GE, (uint64_t)lap);
    }
}

// Thread 0 answers thread 1 inside the same PE; the others only look on.
static void wake_each_other(int number) {
    if (number > 1) return;
    for (long round = 1; round <= 5; round++) {
        if (number == 0) {
            test_sleep_ms(10);
            shmem_long_p(&flags[0], round, me);
            shmem_long_wait_until(&flags[1], SHMEM_CMP_EQ, round);
        } else {
            shmem_long_wait_until(&flags[0], SHMEM_CMP_EQ, round);
            shmem_long_atomic_set(&flags[1], round, me);
        }
    }
}

int main(void) {
    test_begin_threads();
    shmem_barrier_all();
    test_run_threads(run_token);
    for (int i = 0; i < THREADS; i++) REQUIRE(tokens[i] == laps(), "token %d is %ld", i, tokens[i]);
    test_run_threads(wake_each_other);
    shmem_barrier_all();
    return test_end();
}
