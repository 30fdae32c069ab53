// SPDX-License-Identifier: BSD-3-Clause
// taskloop with collapse, lastprivate, reduction, nogroup, unsigned and huge ranges, steps, and combined with others.
#include "test.h"

static void ranges(void) {
    static int runs[200];
    memset(runs, 0, sizeof runs);
#pragma omp taskloop grainsize(3)
    for (unsigned long long i = ULLONG_MAX - 100; i < ULLONG_MAX; i++) test_add(&runs[i - (ULLONG_MAX - 100)], 1);
#pragma omp taskloop num_tasks(7)
    for (unsigned long long i = 199; i >= 100; i -= 3) test_add(&runs[i], 1);
#pragma omp taskloop
    for (long i = LONG_MAX - 70; i < LONG_MAX - 1; i += 7) test_add(&runs[100 + (i - (LONG_MAX - 70))], 10);
#pragma omp taskloop grainsize(2)
    for (long i = LONG_MIN + 50; i > LONG_MIN; i -= 5) test_add(&runs[100 + (i - LONG_MIN)], 100);
    for (int i = 0; i < 200; i++) {
        int right = i < 100 ? 1 : (199 - i) % 3 == 0;
        if (i >= 100 && i < 169 && (i - 100) % 7 == 0) right += 10;
        if (i > 100 && i <= 150 && (i - 100) % 5 == 0) right += 100;
        REQUIRE(runs[i] == right, "ranges: %d has %d, not %d", i, runs[i], right);
    }
}

static void data(void) {
    int last = -1, first = 9, sum = 5, product = 1;
    long pairs = 0;
    unsigned long long none = (unsigned long long)(last + 1);
#pragma omp taskloop lastprivate(last) firstprivate(first) grainsize(4)
    for (int i = 0; i < 77; i++) {
        REQUIRE(first >= 9, "firstprivate began as %d", first);
        first++;
        last = i;
    }
    REQUIRE(last == 76 && first == 9, "last %d, first %d", last, first);
#pragma omp taskloop reduction(+ : sum) reduction(* : product) num_tasks(9)
    for (int i = 0; i < 100; i++) {
        sum += i;
        if (i % 50 == 0) product *= 3;
    }
    REQUIRE(sum == 4955 && product == 9, "sum %d, product %d", sum, product);
#pragma omp taskloop collapse(2) reduction(+ : pairs)
    for (int i = 0; i < 20; i++)
        for (long j = 30; j > 0; j--) pairs += i * j;
    REQUIRE(pairs == 190 * 465, "pairs %ld", pairs);
#pragma omp taskloop collapse(2) reduction(+ : pairs) grainsize(3)
    for (unsigned long long i = 0; i < 5; i++)
        for (unsigned long long j = 0; j < none; j++) pairs += 1;
    REQUIRE(pairs == 190 * 465, "an empty loop ran");
}

static void without_group(void) {
    static int ran;
    ran = 0;
#pragma omp taskgroup
    {
#pragma omp taskloop nogroup grainsize(1)
        for (int i = 0; i < 50; i++) test_add(&ran, 1);
    }
    REQUIRE(ran == 50, "past the group with %d", ran);
#pragma omp taskloop nogroup num_tasks(6)
    for (int i = 0; i < 50; i++) {
#pragma omp task
        test_add(&ran, 1);
    }
#pragma omp taskwait
#pragma omp taskloop num_tasks(6)
    for (int i = 0; i < 50; i++) {
#pragma omp task
        test_add(&ran, 1000);
    }
    // Its group waits for descendants; those of the one before may be under way.
    REQUIRE(test_get(&ran) / 1000 == 50, "past taskloop with %d descendants", test_get(&ran) / 1000);
}

int main(void) {
    int threads = omp_get_max_threads();
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
#pragma omp single
        {
            ranges();
            data();
            without_group();
        }
        int sum = 0;
#pragma omp parallel master taskloop simd reduction(+ : sum)
        for (int i = 0; i < 100; i++) sum += i;
        REQUIRE(sum == 4950, "parallel master taskloop simd: %d", sum);
        // Every thread its own loop.
#pragma omp parallel reduction(+ : sum)
        {
#pragma omp taskloop reduction(+ : sum)
            for (int i = 0; i < 100; i++) sum += i;
        }
        REQUIRE(sum == 4950 * (threads + 1), "a taskloop a thread: %d", sum);
    }
    return 0;
}
