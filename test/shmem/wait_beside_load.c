// SPDX-License-Identifier: BSD-3-Clause
// Beside programs that compute and never wait, PEs make progress in every kind of wait, and no wait ends too early. Where a wait gives
// such a program a time slice at each step, 2 PEs make 0.06 to 0.26 of the rounds that they make alone, 4 PEs seldom more than 0.02; else
// 0.42 to 0.49 and 0.1 to 0.9. Both rates are taken in turn, several times before the test fails: other programs disturb single ones.
// pes: 2 4
// skip: epiphany aarch64
// timeout: 120
#define _GNU_SOURCE
#include "test.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOPS_MAX 64
#define SECONDS 0.4 // of a measurement; waits learn in a part of it
#define TRIES 16
#define GOOD_TRIES 2                       // a single one may be chance
#define RATE_LEAST (pes == 2 ? 0.33 : 0.2) // of the rate without loops, in a good try

static _Alignas(64) long token; // of a ring: the number of hops
static _Alignas(64) long answer;
static _Alignas(64) long arrived;
static _Alignas(64) int goes_on;
static struct {
    double seconds, used; // used: processor time of this PE
} mine;

static long hops, rounds; // so far, the same on all PEs

// One for each processor, so that none is left for the PEs alone.
static int loops_wanted(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 2 ? 2 : processors < LOOPS_MAX ? (int)processors : LOOPS_MAX;
}

// On whichever processor is free, not only on that of this PE.
static pid_t start_loop(void) {
    pid_t child = fork();
    if (child != 0) return child;
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(100);
    for (volatile unsigned long turns = 0;; turns++) continue;
}

// About a tenth of a millisecond.
static void compute(void) {
    volatile long sink = 0;
    for (long i = 0; i < 80000; i++) sink += i;
}

// The token passes each PE once a round.
static void pass_token(void) {
    long hop = hops + me;
    if (me != 0) shmem_long_wait_until(&token, SHMEM_CMP_GE, hop);
    REQUIRE(me == 0 || token == hop, "hop %ld: the token is %ld", hop, token);
    shmem_long_p(&token, hop + 1, (me + 1) % pes);
    if (me == 0) shmem_long_wait_until(&token, SHMEM_CMP_EQ, hop + pes);
    hops += pes;
}

// Each polls, by a routine that does not wait.
static void exchange(void) {
    shmem_long_p(&answer, rounds, (me + 1) % pes);
    while (!shmem_long_test(&answer, SHMEM_CMP_EQ, rounds)) continue;
}

// Returns whether PE 0 wants another round, which it says before the first barrier and not again before the second.
static bool meet(void) {
    compute();
    shmem_long_atomic_inc(&arrived, 0);
    shmem_barrier_all();
    long all = shmem_long_g(&arrived, 0);
    REQUIRE(all == rounds * pes, "after barrier %ld, %ld arrivals are visible", rounds, all);
    bool go_on = goes_on != 0;
    shmem_barrier_all();
    return go_on;
}

struct result {
    double rate; // rounds a second
    double used; // processor time of all PEs in a second
};

// Collective. The result is the same on all PEs.
static struct result measure(void) {
    shmem_barrier_all();
    double began = test_seconds(), used_before = test_processor_seconds();
    long first = rounds;
    bool go_on = true;
    while (go_on) {
        rounds++;
        bool stop = test_seconds() - began >= SECONDS;
        for (int pe = 0; me == 0 && pe < pes; pe++) shmem_int_p(&goes_on, !stop, pe);
        pass_token();
        exchange();
        go_on = meet();
    }
    mine.used = test_processor_seconds() - used_before, mine.seconds = test_seconds() - began;
    shmem_barrier_all();
    double seconds = shmem_double_g(&mine.seconds, 0), used = 0;
    for (int pe = 0; pe < pes; pe++) used += shmem_double_g(&mine.used, pe);
    shmem_barrier_all();
    return (struct result){(double)(rounds - first) / seconds, used / seconds};
}

static struct result measure_beside(int loops) {
    pid_t processes[LOOPS_MAX];
    for (int i = 0; me == 0 && i < loops; i++) processes[i] = start_loop();
    struct result result = measure();
    for (int i = 0; me == 0 && i < loops; i++) kill(processes[i], SIGKILL), waitpid(processes[i], NULL, 0);
    return result;
}

int main(void) {
    test_begin();
    const int loops = loops_wanted();
    struct result alone = {0, 0}, beside = {0, 0};
    int good = 0;
    for (int i = 0; i < TRIES && good < GOOD_TRIES; i++) {
        alone = measure(), beside = measure_beside(loops);
        if (beside.rate >= RATE_LEAST * alone.rate) good++;
    }
    REQUIRE(me != 0 || good == GOOD_TRIES,
            "beside %d busy loops %.0f rounds a second with %.2f s of processor time, without them %.0f with %.2f s",
            loops, beside.rate, beside.used, alone.rate, alone.used);
    return test_end();
}
