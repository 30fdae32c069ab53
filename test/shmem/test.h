// SPDX-License-Identifier: BSD-3-Clause
// What every behaviour test needs: begin and end, a check that ends the job with one line, patterns that say who wrote
// a byte, and random numbers that are the same in every run.
#ifndef SKERRY_TEST_SHMEM_TEST_H
#define SKERRY_TEST_SHMEM_TEST_H

#include <shmem.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int me = -1;  // this PE's number
static int pes = -1; // how many there are

#define TEST_UNUSED __attribute__((unused))
#define TEST_COUNT(array) (sizeof(array) / sizeof(array)[0])

// The first PE that finds something wrong ends the job; PEs that wait for it would otherwise wait for ever.
TEST_UNUSED __attribute__((noreturn, format(printf, 3, 4))) static void test_fail(const char *file, int line,
                                                                                  const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *name = strrchr(file, '/');
    fprintf(stderr, "PE %d of %d: %s:%d: %s\n", me, pes, name ? name + 1 : file, line, text);
    fflush(stderr);
    int initialized = 0;
    shmem_query_initialized(&initialized);
    if (initialized) shmem_global_exit(1);
    exit(1);
}

#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) test_fail(__FILE__, __LINE__, __VA_ARGS__);                                                  \
    } while (0)

TEST_UNUSED static void test_begin(void) {
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
}

TEST_UNUSED static void test_begin_threads(void) {
    int provided = -1;
    int failed = shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    me = shmem_my_pe();
    pes = shmem_n_pes();
    REQUIRE(!failed && provided == SHMEM_THREAD_MULTIPLE, "SHMEM_THREAD_MULTIPLE refused: %d, provided %d", failed,
            provided);
}

TEST_UNUSED static int test_end(void) {
    shmem_finalize();
    return 0;
}

// -- Neighbours --------------------------------------------------------------------------------------------------------

TEST_UNUSED static int right_of(int pe) {
    return (pe + 1) % pes;
}

TEST_UNUSED static int left_of(int pe) {
    return (pe + pes - 1) % pes;
}

// -- Memory ------------------------------------------------------------------------------------------------------------

TEST_UNUSED static void *test_malloc(size_t bytes) {
    void *block = shmem_malloc(bytes);
    REQUIRE(block, "shmem_malloc(%zu) gave no memory", bytes);
    return block;
}

static inline unsigned char test_byte(uint64_t seed, size_t at) {
    return (unsigned char)(seed * 37 + at * 7 + (at >> 8) * 13 + (at >> 16) * 5 + 1);
}

// Bytes that depend on the seed and on their place.
TEST_UNUSED static void test_fill(void *memory, size_t bytes, uint64_t seed) {
    unsigned char *byte = memory;
    for (size_t i = 0; i < bytes; i++) byte[i] = test_byte(seed, i);
}

// Index of the first byte that test_fill would have written otherwise; `bytes` when there is none.
TEST_UNUSED static size_t test_first_wrong(const void *memory, size_t bytes, uint64_t seed) {
    const unsigned char *byte = memory;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != test_byte(seed, i)) return i;
    return bytes;
}

#define TEST_GUARD 0xA5

TEST_UNUSED static bool test_all_guard(const void *memory, size_t bytes) {
    const unsigned char *byte = memory;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != TEST_GUARD) return false;
    return true;
}

// -- Random numbers ----------------------------------------------------------------------------------------------------

TEST_UNUSED static uint64_t test_random(uint64_t *state) {
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = *state;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

TEST_UNUSED static size_t test_below(uint64_t *state, size_t limit) {
    return (size_t)(test_random(state) % limit);
}

// -- Time --------------------------------------------------------------------------------------------------------------

// On a simulated chip, whose C library is newlib, time is the chip's: nothing sleeps there, and a millisecond is long.
#ifdef __NEWLIB__
#include <sys/time.h>
#define TEST_STRESS_SECONDS 0.001
#define TEST_SIZE(usual, on_a_chip) (on_a_chip) // memories of kilobytes have no room for megabytes
#define TEST_SLOWER_BY 20

TEST_UNUSED static double test_seconds(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + (double)now.tv_usec * 1e-6;
}

TEST_UNUSED static void test_sleep_ms(long milliseconds) {
    double until = test_seconds() + (double)milliseconds * 1e-5;
    while (test_seconds() < until) continue;
}
#else
#define TEST_STRESS_SECONDS 3.0
#define TEST_SIZE(usual, on_a_chip) (usual)
#if defined(__SANITIZE_ADDRESS__)
#define TEST_SLOWER_BY 3
#else
#define TEST_SLOWER_BY 1
#endif

TEST_UNUSED static double test_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

TEST_UNUSED static void test_sleep_ms(long milliseconds) {
    double until = test_seconds() + (double)milliseconds * 1e-3;
    struct timespec rest = {.tv_nsec = 1000000};
    while (test_seconds() < until) nanosleep(&rest, NULL);
}

// Returns the processor time of this PE.
TEST_UNUSED static double test_processor_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}
#endif

// How often a stress loop runs: fewer rounds with more PEs, because they share the processors; and far fewer when they
// spin as if they did not.
TEST_UNUSED static int test_rounds(int for_two) {
    int rounds = for_two * 2 / (pes > 2 ? pes : 2) / TEST_SLOWER_BY;
    if (pes > 2 && getenv("SKERRY_PROCESSORS")) rounds /= 30;
    if (getenv("SKERRY_NODES")) rounds /= 200; // an operation takes microseconds and not nanoseconds
    return rounds > 10 ? rounds : 10;
}

// Collective. Whether there is time for another piece of a stress loop: a machine that is busy with other things runs fewer
// of them. PE 0 looks at its clock, and all do as it says.

TEST_UNUSED static bool test_time_left(void) {
    static double began;
    static int go_on;
    if (began == 0) began = test_seconds();
    shmem_sync_all();
    if (me == 0) go_on = test_seconds() - began < TEST_STRESS_SECONDS;
    shmem_sync_all();
    return shmem_int_g(&go_on, 0) != 0; // PE 0 does not write it again before all have come to the next call
}

#endif
