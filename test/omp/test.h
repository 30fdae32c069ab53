// SPDX-License-Identifier: BSD-3-Clause
// What every test of the OpenMP runtime needs: a check that ends the program with one line, a place where threads meet,
// and random numbers that are the same in every run. For C and C++.
#ifndef SKERRY_TEST_OMP_TEST_H
#define SKERRY_TEST_OMP_TEST_H

#include <omp.h>

#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEST_UNUSED __attribute__((unused))
#define TEST_COUNT(array) (sizeof(array) / sizeof(array)[0])

// The first thread that finds something wrong ends the program at once; the others may be waiting for it.
TEST_UNUSED __attribute__((noreturn, format(printf, 3, 4))) static void test_fail(const char *file, int line,
                                                                                  const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *name = strrchr(file, '/');
    fprintf(stderr, "%s:%d: %s\n", name ? name + 1 : file, line, text);
    fflush(stderr);
    _Exit(1);
}

#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) test_fail(__FILE__, __LINE__, __VA_ARGS__);                                                  \
    } while (0)

// -- Words that threads share without a construct to order them --------------------------------------------------------

TEST_UNUSED static int test_add(int *word, int value) {
    return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}

TEST_UNUSED static int test_get(const int *word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

TEST_UNUSED static void test_set(int *word, int value) {
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

// Waits until the word is at least `value`: what is waited for needs a thread of its own. Time-outs are ctest's.
TEST_UNUSED static void test_wait(const int *word, int value) {
    while (test_get(word) < value) sched_yield();
}

// Returns when as many as `count` have come: they all ran at the same time. The word begins at 0 and can be used again.
TEST_UNUSED static void test_meet(int *word, int count) {
    int place = test_add(word, 1);
    test_wait(word, place / count * count + count);
}

// -- Random numbers ----------------------------------------------------------------------------------------------------

TEST_UNUSED static uint64_t test_random(uint64_t *state) {
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = *state;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

// How often a stress loop runs: fewer rounds with more threads, because they share the processors.
TEST_UNUSED static int test_rounds(int for_two) {
    int threads = omp_get_max_threads();
    int rounds = for_two * 2 / (threads > 2 ? threads : 2);
    return rounds > 10 ? rounds : 10;
}

#endif
