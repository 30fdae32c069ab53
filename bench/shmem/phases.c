// SPDX-License-Identifier: BSD-3-Clause
// Measures how many phases the PEs complete in a second. In a phase each PE computes for MICROSECONDS of its own
// processor time and then enters a barrier. Most programs behave in this way. PE 0 also starts LOOPS busy loops:
// processes that compute all the time and end with PE 0. The measurement lasts SECONDS.
//     oshrun -n PES phases MICROSECONDS LOOPS SECONDS
#define _GNU_SOURCE
#include <sched.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOPS_MAX 64

static int goes_on = 1;

static double seconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Returns the number of loop turns that take `microseconds` of processor time if no other program disturbs. Measures
// some tries and uses the shortest, because other programs can slow down a try.
static long calibrate(double microseconds) {
    double shortest = 1;
    volatile long turns = 0;
    for (int i = 0; i < 20; i++) {
        double began = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        for (turns = 0; turns < 100000; turns++) {
        }
        double took = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - began;
        if (took < shortest) shortest = took;
    }
    return (long)(microseconds * 1e-6 / shortest * 100000);
}

static void compute(long turns) {
    for (volatile long i = 0; i < turns; i++) {
    }
}

// Starts `count` busy loops. These processes are allowed to run on all processors, even if this PE is pinned to one.
static void start_loops(pid_t *loops, long count) {
    const pid_t parent = getpid();
    for (long i = 0; i < count; i++) {
        loops[i] = fork();
        if (loops[i] != 0) continue;
        cpu_set_t all;
        memset(&all, 0xff, sizeof all);
        sched_setaffinity(0, sizeof all, &all);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        for (volatile long turns = 0;; turns++) {
        }
    }
}

static void end_loops(const pid_t *loops, long count) {
    for (long i = 0; i < count; i++)
        if (loops[i] > 0 && kill(loops[i], SIGKILL) == 0) waitpid(loops[i], NULL, 0);
}

int main(int count, char **words) {
    const double microseconds = count > 1 ? atof(words[1]) : 100, seconds = count > 3 ? atof(words[3]) : 1;
    const long loops_wanted = count > 2 ? atol(words[2]) : 0;
    pid_t loops[LOOPS_MAX];
    if (microseconds < 0 || seconds <= 0 || loops_wanted < 0 || loops_wanted > LOOPS_MAX) {
        fprintf(stderr, "usage: oshrun -n PES phases [MICROSECONDS [LOOPS [SECONDS]]]; at most %d loops\n", LOOPS_MAX);
        return 2;
    }
    const long turns = calibrate(microseconds);
    long phases = 0;
    shmem_init();
    if (shmem_my_pe() == 0) start_loops(loops, loops_wanted);
    shmem_barrier_all();
    const double began = seconds_of(CLOCK_MONOTONIC);
    double now = began;
    for (int go = 1; go; phases++) {
        compute(turns);
        if (shmem_my_pe() == 0) {
            now = seconds_of(CLOCK_MONOTONIC);
            const int stop = now - began < seconds;
            for (int pe = 0; pe < shmem_n_pes(); pe++) shmem_int_p(&goes_on, stop, pe);
        }
        shmem_barrier_all();
        go = *(volatile int *)&goes_on;
        shmem_barrier_all(); // from here on PE 0 can change goes_on: all PEs have read it
    }
    if (shmem_my_pe() == 0) {
        end_loops(loops, loops_wanted);
        printf("%d PEs, %g us, %ld loops: %.0f phases a second\n", shmem_n_pes(), microseconds, loops_wanted,
               (double)phases / (now - began));
    }
    shmem_finalize();
    return 0;
}
