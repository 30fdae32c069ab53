// SPDX-License-Identifier: BSD-3-Clause
// Reductions and atomic updates before a barrier in other places than a loop with a static schedule: other loops, sections, functions
// that a region calls, updates by some threads only, updates for which another thread waits before it comes to the barrier, and regions
// with tasks.
// threads: 1 2 4 7
#include "test.h"

#define TIMES 12

static int threads;

// Loops and sections that end in another way.
static void constructs(void) {
    double sum = 0, total = 0, guided = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int k = 0; k < 20; k++) sum += k;
        REQUIRE(sum == 190 * (i + 1), "step %d: the sum is %d", i, (int)sum);
#pragma omp sections reduction(+ : total)
        {
#pragma omp section
            total += 1;
#pragma omp section
            total += 2;
        }
        REQUIRE(total == 3 * (i + 1), "step %d: the total is %d", i, (int)total);
#pragma omp for schedule(guided) reduction(+ : guided)
        for (int k = 0; k < 20; k++) guided += k;
        REQUIRE(guided == 190 * (i + 1), "step %d: guided: %d", i, (int)guided);
#pragma omp barrier
    }
}

// A function with a loop that belongs to the region of its caller, or to no region.
static double orphaned_sum;

static __attribute__((noinline)) void orphaned(int n) {
#pragma omp for schedule(static) reduction(+ : orphaned_sum)
    for (int k = 0; k < n; k++) orphaned_sum += k;
}

static __attribute__((noinline)) int orphaned_more(int n, int kept) {
#pragma omp for schedule(static) reduction(+ : orphaned_sum)
    for (int k = 0; k < n; k++) orphaned_sum += k;
    return kept * 3;
}

static void functions(void) {
    orphaned(20);
    REQUIRE(orphaned_sum == 190, "outside of a region: %d", (int)orphaned_sum);
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
        orphaned(20);
        REQUIRE(orphaned_sum == 190 * (2 * i + 2), "step %d: %d", i, (int)orphaned_sum);
#pragma omp barrier
        const int kept = orphaned_more(20, i);
        REQUIRE(kept == i * 3 && orphaned_sum == 190 * (2 * i + 3), "step %d: %d, %d", i, kept, (int)orphaned_sum);
#pragma omp barrier
    }
    orphaned_sum = 0;
#pragma omp parallel
#pragma omp parallel num_threads(1)
    orphaned(2);
    REQUIRE(orphaned_sum == threads, "in a region inside: %d", (int)orphaned_sum);
}

// An atomic update before a barrier. A thread waits for those of the others before it comes to its own.
static void awaited(void) {
    double count = 0;
    float single = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES / 4; i++) {
        const int waiter = (i * 7) % threads;
        if (omp_get_thread_num() == waiter) {
            double seen;
            do {
                sched_yield();
#pragma omp atomic read
                seen = count;
            } while (seen < threads * (i + 1) - 1);
        }
#pragma omp atomic
        count += 1;
#pragma omp barrier
        REQUIRE(count == threads * (i + 1), "step %d: the count is %d", i, (int)count);
#pragma omp barrier
        if (omp_get_thread_num() == waiter) {
            float seen;
            do {
                sched_yield();
#pragma omp atomic read
                seen = single;
            } while (seen < (float)(threads * (i + 1) - 1));
        }
#pragma omp atomic
        single += 1;
#pragma omp barrier
        REQUIRE(single == (float)(threads * (i + 1)), "step %d: %d", i, (int)single);
#pragma omp barrier
    }
}

// Some threads update, to two variables, and use the value that an update has returned.
static void some(void) {
    double sums[2] = {0, 0}, wanted[2] = {0, 0};
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
        const int me = omp_get_thread_num();
        double *const sum = &sums[me % 2];
        if (me % (i % 3 + 1) == 0) {
#pragma omp atomic
            *sum += 1;
#pragma omp barrier
        } else {
#pragma omp barrier
        }
#pragma omp single
        for (int t = 0; t < threads; t++) wanted[t % 2] += t % (i % 3 + 1) == 0;
        REQUIRE(sums[0] == wanted[0] && sums[1] == wanted[1], "step %d: %d, %d", i, (int)sums[0], (int)sums[1]);
#pragma omp barrier
        double before;
#pragma omp atomic capture
        {
            before = sums[0];
            sums[0] += 1;
        }
#pragma omp barrier
        REQUIRE(before >= wanted[0] && before < wanted[0] + threads, "step %d: before %d", i, (int)before);
#pragma omp single
        sums[0] = wanted[0];
    }
}

// Tasks that must end before the barrier, and the order of barriers with and without them.
static void tasks(void) {
    double sum = 0, done = 0;
#pragma omp parallel
    for (int i = 0; i < 8; i++) {
        if (i % 3 == 1) {
#pragma omp single nowait
            for (int k = 0; k < 20; k++) {
#pragma omp task shared(done)
                {
#pragma omp atomic
                    done += 1;
                }
            }
        }
#pragma omp for schedule(static) reduction(+ : sum)
        for (int t = 0; t < threads; t++) sum += 1;
        REQUIRE(sum == threads * (i + 1), "step %d: the sum is %d", i, (int)sum);
        REQUIRE(done == (i + 2) / 3 * 20, "step %d: %d tasks are done", i, (int)done);
#pragma omp barrier
    }
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    constructs();
    functions();
    if (threads > 1) awaited();
    some();
    tasks();
    return 0;
}
