// SPDX-License-Identifier: BSD-3-Clause
// Beside programs that compute and never wait, PEs make progress in every kind of wait, and no wait ends too early. The limit is
// generous: it shows waits that hand the processor to such a program at every step, not slow ones.
// pes: 2 4
// skip: epiphany aarch64
// timeout: 120
#define _GNU_SOURCE
#include "test.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LOOPS 2
#define ROUNDS 400
#define SECONDS_MOST 30.0

static _Alignas(64) long token; // of a ring: the number of hops
static _Alignas(64) long answer;
static _Alignas(64) long arrived;

static pid_t start_loop(void) {
    pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(100);
    for (volatile unsigned long turns = 0;; turns++) continue;
}

static void compute(void) {
    volatile long sink = 0;
    for (long i = 0; i < 20000; i++) sink += i;
}

// The token passes each PE once a round.
static void pass_token(long round) {
    long hop = round * pes + me;
    if (me != 0) shmem_long_wait_until(&token, SHMEM_CMP_GE, hop);
    REQUIRE(me == 0 || token == hop, "hop %ld: the token is %ld", hop, token);
    shmem_long_p(&token, hop + 1, (me + 1) % pes);
    if (me == 0) shmem_long_wait_until(&token, SHMEM_CMP_EQ, hop + pes);
}

// Each polls, by a routine that does not wait.
static void exchange(long round) {
    shmem_long_p(&answer, round + 1, (me + 1) % pes);
    while (!shmem_long_test(&answer, SHMEM_CMP_EQ, round + 1)) continue;
}

static void meet(long round) {
    compute();
    shmem_long_atomic_inc(&arrived, 0);
    shmem_barrier_all();
    long all = shmem_long_g(&arrived, 0);
    REQUIRE(all == (round + 1) * pes, "after barrier %ld, %ld arrivals are visible", round, all);
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    pid_t loops[LOOPS] = {0};
    for (int i = 0; me == 0 && i < LOOPS; i++) loops[i] = start_loop();
    double began = test_seconds();
    for (long round = 0; round < ROUNDS; round++) {
        pass_token(round);
        exchange(round);
        meet(round);
        REQUIRE(test_seconds() - began < SECONDS_MOST, "round %ld of %d after %.0f s", round, ROUNDS, SECONDS_MOST);
    }
    shmem_barrier_all();
    for (int i = 0; me == 0 && i < LOOPS; i++) kill(loops[i], SIGKILL);
    return test_end();
}
