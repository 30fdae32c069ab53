// SPDX-License-Identifier: BSD-3-Clause
// A handler of an interrupt puts, fetches and completes while the program that it interrupts does the same. On several
// nodes both use the network, which has one lock: a handler must not run in the middle of an operation.
// skip: epiphany (test/chip/copies/handlers.c tests this on the chip)
// pes: 2 4 7
// ways: 4:2:remote 64:4:tcp
#include <shmemx.h>

#include "test.h"

#define ROUNDS 4000
#define NUMBER 0

static long counter, flag, slot; // symmetric
static long stop;                // symmetric: stored by PE 0 at PE 1
static volatile long handled;
static int last;

static void on_interrupt(void) {
    shmem_long_p(&slot, handled, last);
    if (handled % 3 == 0) shmem_quiet();
    if (handled % 2) shmem_long_atomic_inc(&counter, last);
    else (void)shmem_long_atomic_fetch_add(&counter, 1, last);
    handled = handled + 1;
}

int main(void) {
    test_begin();
    last = pes - 1;
    if (me == 0) shmemx_on_interrupt(NUMBER, on_interrupt);
    shmem_barrier_all();
    long step = 0;
    if (me == 0) { // PE 1 may begin late
        for (; step < ROUNDS || !handled; step++) {
            shmem_long_p(&flag, step, last);
            if (step % 16 == 0) shmem_quiet();
            if (step % 64 == 0) (void)shmem_long_g(&flag, last);
        }
        shmem_long_p(&stop, 1, 1);
        shmem_quiet();
    } else if (me == 1) {
        while (!shmem_long_atomic_fetch(&stop, 1)) {
            shmemx_interrupt(0, NUMBER);
            for (volatile int pause = 0; pause < 300; pause++) {
            }
        }
    }
    shmem_barrier_all();
    if (me == 0) {
        shmemx_on_interrupt(NUMBER, NULL);
        shmem_quiet();
        long counted = shmem_long_atomic_fetch(&counter, last);
        REQUIRE(counted == handled, "%ld handlers ran, and PE %d has counted %ld", handled, last, counted);
        REQUIRE(shmem_long_g(&flag, last) == step - 1, "the last put of the program is missing");
    }
    shmem_barrier_all();
    return test_end();
}
