// SPDX-License-Identifier: BSD-3-Clause
// Threads that wait for another node use no processor. PE 1 is stopped for 2 s. Meanwhile one thread of PE 0 waits for a
// reply of PE 1, and another thread waits until a word of PE 0 changes. Both must sleep, and the network's helper thread too:
// it must not poll because one thread sleeps in the wait, while the other thread receives the messages.
// pes: 2
// nodes: only
// alone: yes
// threads: yes
// skip: epiphany (a chip is one node)
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "threads.h"

#define STOPPED_SECONDS 2
#define PROCESSOR_SHARE_MOST 0.25 // of the time for which the threads wait

static long word = 7, flag;
static uint64_t ready;

static double seconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_seconds(double seconds) {
    struct timespec left = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&left, &left) != 0) {
    }
}

static void wait_twice(int number) {
    if (number == 1) shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    if (number != 0) return;
    const double begun = seconds_of(CLOCK_MONOTONIC), used_before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    REQUIRE(shmem_long_g(&word, 1) == 7, "a wrong word");
    const double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used_before;
    const double waited = seconds_of(CLOCK_MONOTONIC) - begun;
    REQUIRE(waited < 1 || used < PROCESSOR_SHARE_MOST * waited, "the threads waited for %.2f s and used %.2f s", waited,
            used);
    shmem_long_p(&flag, 1, 0);
}

// Stops this process. A child that was forked before lets it go on.
static void stop(void) {
    const pid_t stopped = getpid(), child = fork();
    REQUIRE(child >= 0, "no child");
    if (child == 0) {
        sleep_seconds(STOPPED_SECONDS);
        kill(stopped, SIGCONT);
        _exit(0);
    }
    shmem_signal_set(&ready, 1, 0);
    shmem_quiet();
    raise(SIGSTOP);
    waitpid(child, NULL, 0);
}

int main(void) {
    test_begin_threads();
    if (me == 0) {
        shmem_signal_wait_until(&ready, SHMEM_CMP_EQ, 1);
        sleep_seconds(0.3); // PE 1 stops meanwhile
        test_run_threads(wait_twice);
    } else {
        stop();
    }
    return test_end();
}
