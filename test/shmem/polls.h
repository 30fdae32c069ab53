// SPDX-License-Identifier: BSD-3-Clause
// PEs that poll buffers of their own, more of them than processors: each sends a number to its right neighbour and polls until that of
// its left one is there. What is compared with is a loop of plain loads, which no library sees: it keeps its processor for whole time
// slices.
#ifndef SKERRY_TEST_SHMEM_POLLS_H
#define SKERRY_TEST_SHMEM_POLLS_H

#include "test.h"

#include <unistd.h>

#define POLLS_EXCHANGES 12
#define POLLS_SKIPPED 77 // exit code, for ctest

static long word; // what arrives from the left neighbour

TEST_UNUSED static bool polls_have_arrived(long number) {
    return *(volatile long *)&word >= number;
}

TEST_UNUSED static void polls_by_loads(long number) {
    while (!polls_have_arrived(number)) continue;
}

struct polls_figures {
    double exchange;  // seconds of one
    double processor; // seconds that all PEs used, for each second and processor
};

// Collective; the same on all PEs.
TEST_UNUSED static struct polls_figures polls_measure(void (*poll_until)(long number)) {
    static struct { double seconds, used; } mine;
    static long number;
    struct polls_figures figures = {0, 0};
    shmem_barrier_all();
    double began = test_seconds(), used = test_processor_seconds();
    for (int i = 0; i < POLLS_EXCHANGES; i++) {
        shmem_long_p(&word, ++number, right_of(me));
        poll_until(number);
        REQUIRE(word >= number && word < number + pes, "exchange %ld: %ld arrived", number, word);
    }
    mine.seconds = test_seconds() - began, mine.used = test_processor_seconds() - used;
    shmem_barrier_all();
    double seconds = shmem_double_g(&mine.seconds, 0);
    for (int pe = 0; pe < pes; pe++) figures.processor += shmem_double_g(&mine.used, pe);
    shmem_barrier_all();
    figures.exchange = seconds / POLLS_EXCHANGES;
    figures.processor /= seconds * (double)sysconf(_SC_NPROCESSORS_ONLN);
    return figures;
}

// Ends the job as skipped, with a line.
TEST_UNUSED static void polls_skip(const char *why) {
    shmem_barrier_all();
    if (me == 0) fprintf(stderr, "skipped: %s\n", why);
    if (me == 0) shmem_global_exit(POLLS_SKIPPED);
    for (;;) shmem_barrier_all();
}

// Two PEs for each processor at least.
TEST_UNUSED static void polls_begin(void) {
    test_begin();
    if (sysconf(_SC_NPROCESSORS_ONLN) > pes / 2) polls_skip("there are processors for all PEs");
}

#endif
