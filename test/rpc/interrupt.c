// SPDX-License-Identifier: BSD-3-Clause
// Interrupts of the program's own: a handler runs at least once after each, on a PE that computes too, and one that is set
// later runs for those that came before.
#include "rpc.h"

static long flags[SHMEMX_INTERRUPT_NUMBERS], runs[SHMEMX_INTERRUPT_NUMBERS], flag_of_late;

static void handle_0(void) {
    runs[0]++, __atomic_store_n(&flags[0], 1, __ATOMIC_RELEASE);
}
static void handle_1(void) {
    runs[1]++, __atomic_store_n(&flags[1], 1, __ATOMIC_RELEASE);
}
static void handle_late(void) {
    __atomic_store_n(&flag_of_late, 1, __ATOMIC_RELEASE);
}

int main(void) {
    test_begin();
    shmemx_on_interrupt(0, handle_0);
    shmemx_on_interrupt(1, handle_1);
    shmem_barrier_all();
    shmemx_interrupt(right_of(me), 0);
    REQUIRE(compute_until(&flags[0], 30), "not interrupted");
    shmemx_interrupt(right_of(me), 1);
    shmem_barrier_all();
    REQUIRE(compute_until(&flags[1], 30), "not interrupted again");
    shmemx_interrupt(left_of(me), 3);
    shmem_barrier_all();
    REQUIRE(!flag_of_late, "a handler that was not set has run");
    shmemx_on_interrupt(3, handle_late);
    REQUIRE(compute_until(&flag_of_late, 30), "what came before the handler was lost");
    shmemx_on_interrupt(0, NULL);
    long before = runs[0];
    shmem_barrier_all();
    shmemx_interrupt(right_of(me), 0);
    shmem_barrier_all();
    REQUIRE(runs[0] == before, "a handler that was taken away has run");
    shmemx_interrupt(me, 1);
    REQUIRE(runs[1] >= 2, "own interrupt");
    shmem_barrier_all();
    return test_end();
}
