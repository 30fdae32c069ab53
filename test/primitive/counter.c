// SPDX-License-Identifier: BSD-3-Clause
// A counter: all PEs announce what they have written by adding, and the owner waits for numbers of them; it wraps round.
#include "../shmem/test.h"

#include <skerry/primitive/counter.h>

#define ROUNDS 200
#define BEFORE_WRAPPING 50

static struct skerry_counter counter;
static long written[64]; // element p is PE p's: rounds that it has announced

static long all_written(void) {
    long sum = 0;
    for (int pe = 0; pe < pes; pe++) sum += shmem_long_atomic_fetch(&written[pe], me);
    return sum;
}

// Of each PE to its right neighbour and to PE 0.
static void announce(int to, long round) {
    shmem_long_p(&written[me], round, to);
    shmem_fence();
    skerry_counter_add(&counter, 1, to);
}

int main(void) {
    test_begin();
    REQUIRE(pes <= (int)TEST_COUNT(written), "made for up to %zu PEs", TEST_COUNT(written));
    skerry_word begin = (skerry_word)0 - BEFORE_WRAPPING;
    counter.count = begin;
    shmem_barrier_all();
    REQUIRE(skerry_counter_has_reached(&counter, begin), "it has not reached what it is");
    shmem_barrier_all();
    for (long round = 1; round <= ROUNDS; round++) {
        announce(0, round);
        if (me != 0) continue;
        skerry_word wanted = begin + (skerry_word)(round * pes);
        skerry_counter_wait(&counter, wanted);
        REQUIRE(all_written() >= round * pes, "round %ld: reached with %ld written", round, all_written());
    }
    if (me == 0) {
        skerry_word last = begin + (skerry_word)(ROUNDS * pes);
        REQUIRE(counter.count == last, "additions lost: %ld", (long)(last - counter.count));
        REQUIRE(!skerry_counter_has_reached(&counter, last + 1), "reached one more than it is");
    }
    shmem_barrier_all();
    counter.count = 0;
    memset(written, 0, sizeof written);
    shmem_barrier_all();
    // Round the ring, one after the other: a PE is let go by its neighbour's addition alone.
    for (long round = 1; round <= ROUNDS; round++) {
        if (me == 0) announce(right_of(me), round);
        skerry_counter_wait(&counter, (skerry_word)round);
        REQUIRE(shmem_long_atomic_fetch(&written[left_of(me)], me) == round,
                "round %ld: the addition came before the data", round);
        if (me != 0) announce(right_of(me), round);
    }
    shmem_barrier_all();
    return test_end();
}
