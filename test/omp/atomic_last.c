// SPDX-License-Identifier: BSD-3-Clause
// Atomic additions that are the last action of a region or task, as a reduction is, which a runtime can combine: sums,
// additions to different variables, by some threads only, for which other threads wait inside the region, and in tasks; large
// values, two variables in turn, and threads that come late.
// threads: 1 2 4 7
#include "test.h"

#define TIMES 40
#define THREADS_MAX 256

static int data[THREADS_MAX];
static int threads;

// The value of a thread in a region: another one each time, also negative.
static int value(int region, int thread) {
    return (region % 7 - 3) * 1000 + thread * thread;
}

static int expected(int region) {
    int sum = 0;
    for (int t = 0; t < threads; t++) sum += value(region, t);
    return sum;
}

static void reductions(void) {
    for (int i = 0; i < TIMES; i++) {
        int sum = 5;
#pragma omp parallel reduction(+ : sum)
        {
            data[omp_get_thread_num()] = i;
            sum += value(i, omp_get_thread_num());
        }
        REQUIRE(sum == 5 + expected(i), "region %d: the sum is %d and not %d", i, sum, 5 + expected(i));
        for (int t = 0; t < threads; t++) REQUIRE(data[t] == i, "region %d: thread %d's data is %d", i, t, data[t]);
    }
}

// A subtraction, and an unsigned variable.
static void differences(void) {
    for (int i = 0; i < TIMES; i++) {
        unsigned rest = 3;
#pragma omp parallel reduction(- : rest)
        rest -= (unsigned)omp_get_thread_num();
        const unsigned wanted = 3 - (unsigned)(threads * (threads - 1) / 2);
        REQUIRE(rest == wanted, "the rest is %u and not %u", rest, wanted);
    }
}

// Values of all sizes: sums of several large ones wrap.
static void large(void) {
    static const unsigned values[] = {1u << 21,        (1u << 22) - 1,      1u << 22,   1u << 31,
                                      0u - (1u << 22), 0u - (1u << 22) - 1, 0xffffffff, 0};
    for (int i = 0; i < TIMES; i++) {
        unsigned sum = 0, wanted = 0;
#pragma omp parallel reduction(+ : sum)
        sum += values[(omp_get_thread_num() * (i % 3) + i) % 8];
        for (int t = 0; t < threads; t++) wanted += values[(t * (i % 3) + i) % 8];
        REQUIRE(sum == wanted, "region %d: the sum is %#x and not %#x", i, sum, wanted);
    }
}

// Two variables in turn: each several times, then one after the other.
static void turns(void) {
    int first = 0, second = 0;
    for (int i = 0; i < TIMES; i++) {
        const int is_first = i < TIMES / 2 ? i / 5 % 2 : i % 2;
        int *sum = is_first ? &first : &second;
#pragma omp parallel
        {
#pragma omp atomic
            *sum += 1 + omp_get_thread_num() * i;
        }
    }
    int wanted[2] = {0, 0};
    for (int i = 0; i < TIMES; i++)
        wanted[i < TIMES / 2 ? i / 5 % 2 : i % 2] += threads + i * (threads * (threads - 1) / 2);
    REQUIRE(first == wanted[1], "the first sum is %d and not %d", first, wanted[1]);
    REQUIRE(second == wanted[0], "the second sum is %d and not %d", second, wanted[0]);
}

// In each region another thread comes later than the others, by more each time.
static void late(void) {
    for (int i = 0; i < TIMES; i++) {
        int sum = 0;
#pragma omp parallel reduction(+ : sum)
        {
            if (omp_get_thread_num() == i % threads)
                for (volatile int wait = i * 20; wait > 0; wait--) {
                }
            sum += omp_get_thread_num() + i;
        }
        const int wanted = threads * (threads - 1) / 2 + threads * i;
        REQUIRE(sum == wanted, "region %d: the sum is %d and not %d", i, sum, wanted);
    }
}

// Threads add to different variables.
static void variables(void) {
    for (int i = 0; i < TIMES; i++) {
        int sums[3] = {0, 0, 0};
#pragma omp parallel
        {
            int *sum = &sums[omp_get_thread_num() % 3];
#pragma omp atomic
            *sum += omp_get_thread_num() + i;
        }
        int wanted[3] = {0, 0, 0};
        for (int t = 0; t < threads; t++) wanted[t % 3] += t + i;
        for (int k = 0; k < 3; k++)
            REQUIRE(sums[k] == wanted[k], "region %d: sum %d is %d and not %d", i, k, sums[k], wanted[k]);
    }
}

// Some threads do not add, and threads end at different times.
static void some(void) {
    for (int i = 0; i < TIMES; i++) {
        int count = 0;
#pragma omp parallel
        {
            const int thread = omp_get_thread_num();
            for (volatile int wait = (thread + i) % 4 * 150; wait > 0; wait--) {
            }
            if (thread % (i % 3 + 2) == 0) {
#pragma omp atomic
                count++;
            }
        }
        const int step = i % 3 + 2, wanted = (threads + step - 1) / step;
        REQUIRE(count == wanted, "region %d: the count is %d and not %d", i, count, wanted);
    }
}

// One thread waits inside the region for the additions with which the others end.
static void awaited(void) {
    for (int i = 0; i < TIMES / 4; i++) {
        int count = 0;
        const int waiter = (i * 7) % threads;
#pragma omp parallel
        {
            if (omp_get_thread_num() == waiter) test_wait(&count, threads - 1);
#pragma omp atomic
            count++;
        }
        REQUIRE(count == threads, "region %d: the count is %d and not %d", i, count, threads);
    }
}

static void tasks(void) {
    for (int i = 0; i < 5; i++) {
        int count = 0, sum = 0;
#pragma omp parallel reduction(+ : sum)
        {
#pragma omp single nowait
            for (int k = 0; k < 20; k++) {
#pragma omp task if (k % 3) shared(count)
                {
#pragma omp atomic
                    count++;
                }
            }
            sum += omp_get_thread_num();
        }
        REQUIRE(count == 20, "the tasks' count is %d and not 20", count);
        REQUIRE(sum == threads * (threads - 1) / 2, "the sum beside tasks is %d", sum);
    }
}

// Teams of other sizes in turn, and serial regions inside.
static void sizes(void) {
    for (int i = 0; i < TIMES; i++) {
        const int size = i % 3 == 0 ? threads : (threads + 1) / 2;
        int sum = 0, inner = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
        {
#pragma omp parallel num_threads(1) shared(inner)
            {
#pragma omp atomic
                inner++;
            }
            sum += 1 + omp_get_thread_num();
        }
        REQUIRE(sum == size * (size + 1) / 2, "%d threads: the sum is %d", size, sum);
        REQUIRE(inner == size, "%d threads: %d additions of regions inside", size, inner);
    }
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    reductions();
    differences();
    large();
    turns();
    late();
    variables();
    some();
    if (threads > 1) awaited();
    tasks();
    sizes();
    return 0;
}
