// SPDX-License-Identifier: BSD-3-Clause
// Calls, gets of all sizes, atomics, locks and the program's own interrupts at once, in functions too: PEs that call each other and
// whose functions get from each other do not wait for ever.
#include "check.h"

#define ROUNDS 25
#define WORDS 64

static int block[WORDS], sum, raised, handled;
static long lock, locked;

static int get_back(int *p, int from, int words) {
    int copy[WORDS], result = *localize(p);
    shmem_getmem(copy, block, (size_t)words * sizeof *copy, from);
    for (int i = 0; i < words; i++) result += copy[i] - block[i];
    return result;
}
RPC(get_back)

static int add(int *p, int value, int pe) {
    (void)p;
    return shmem_int_atomic_fetch_add(&sum, value, pe);
}
RPC(add)

static void note_raised(void) {
    handled = raised;
    int *there = shmem_ptr(block, (shmem_my_pe() + 1) % shmem_n_pes());
    CHECK(get_back_rpc(there, shmem_my_pe(), 0) == *there); // in a handler: run there
}

int main(void) {
    test_begin();
    shmemx_on_interrupt(1, note_raised);
    for (int i = 0; i < WORDS; i++) block[i] = 10 * me;
    shmem_barrier_all();
    int right = right_of(me), left = left_of(me), copy[WORDS];
    for (int round = 1; round <= ROUNDS; round++) {
        int *there = shmem_ptr(block, right);
        // Where f has run is not known, so what it gets from here is compared with what is here or there.
        int words = 2 * (round % 32) + 2, result = get_back_rpc(there, me, words);
        CHECK(result == 10 * right || result == 10 * right + words * 10 * (me - right));
        shmem_getmem(copy, block, sizeof copy, left);
        for (int i = 0; i < WORDS; i++) CHECK(copy[i] == 10 * left);
        add_rpc(shmem_ptr(block, round % pes), 1, (me + round) % pes);
        shmem_int_p(&raised, round, right);
        shmemx_interrupt(right, 1);
        if (round % 5 == 0) {
            shmem_set_lock(&lock);
            shmem_long_p(&locked, shmem_long_g(&locked, 0) + 1, 0);
            shmem_quiet();
            shmem_clear_lock(&lock);
        }
        add_rpc(there, 1, 0);
    }
    shmem_barrier_all();
    while (*(volatile int *)&handled != ROUNDS) continue;
    int total = 0;
    for (int pe = 0; pe < pes && me == 0; pe++) total += shmem_int_g(&sum, pe);
    CHECK(me != 0 || total == 2 * ROUNDS * pes);
    CHECK(me != 0 || locked == ROUNDS / 5 * pes);
    shmem_barrier_all();

    // Two call each other without end, and each function gets from the caller.
    int partner = me ^ 1;
    for (int i = 0; i < 200 && partner < pes; i++) {
        int result = get_back_rpc(shmem_ptr(block, partner), me, 32);
        CHECK(result == 10 * partner || result == 10 * partner + 32 * 10 * (me - partner));
    }
    return test_end();
}
