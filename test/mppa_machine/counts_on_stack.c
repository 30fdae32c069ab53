// SPDX-License-Identifier: BSD-3-Clause
// A loop that polls, and whose only end is a count on the stack, is no deadlock: the simulator ignores only changes of a stack that
// are the same at each turn.
// pes: 1 2
#include "test.h"

static volatile int flag;

static __attribute__((noinline)) int poll(int value) {
    return flag == value;
}

static __attribute__((noinline)) int poll_twice(int value) {
    return poll(value) + poll(value + 1);
}

int main(void) {
    test_begin();
    volatile int rounds = 0; // 300,000 rounds take some 10 million cycles
    while (rounds < 300000 && !poll(1) && !poll_twice(2)) rounds++;
    REQUIRE(rounds == 300000, "%d rounds", rounds);
    return test_end();
}
