// SPDX-License-Identifier: BSD-3-Clause
// Reductions of loops inside a region, which are followed by a barrier, so a runtime can combine both: values of all types, several
// variables, static ones, threads that come at different times, and teams of other sizes in turn.
// threads: 1 2 4 7
#include "test.h"

#define TIMES 12
#define THREADS_MAX 256

static int threads;
static int data[THREADS_MAX];
static double static_sum;
static float static_total;
static int static_most;

static int value(int step, int thread) {
    return (step % 7 - 3) * 100 + thread * thread;
}

static int sum_of_values(int step) {
    int sum = 0;
    for (int t = 0; t < threads; t++) sum += value(step, t);
    return sum;
}

static int most_of_values(int step) {
    int most = -1000000;
    for (int t = 0; t < threads; t++) most = value(step, t) > most ? value(step, t) : most;
    return most;
}

// One variable of each type. After the loop all threads see the result, and what the others have stored before.
static void singles(void) {
    double sum = 0.5, least = 1e9;
    float total = 1, product = 3;
    int count = 0, most = -1000000;
    unsigned bits = 0;
    int wanted = 0;
    double product_wanted = 3;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
        const int me = omp_get_thread_num();
        data[me] = i;
#pragma omp for schedule(static) reduction(+ : sum)
        for (int t = 0; t < threads; t++) sum += value(i, t);
        for (int t = 0; t < threads; t++) REQUIRE(data[t] == i, "step %d: thread %d's data is %d", i, t, data[t]);
#pragma omp single
        wanted += sum_of_values(i);
        REQUIRE(sum == wanted + 0.5, "step %d: the sum is %d and not %d", i, (int)sum, wanted);
#pragma omp for schedule(static) reduction(min : least)
        for (int t = 0; t < threads; t++) least = -i < least ? -i : least;
        REQUIRE(least == -i, "step %d: the least is %d", i, (int)least);
#pragma omp for schedule(static) reduction(+ : total)
        for (int t = 0; t < threads; t++) total += 2;
        REQUIRE(total == (float)(1 + 2 * threads * (i + 1)), "step %d: the total is %d", i, (int)total);
#pragma omp for schedule(static) reduction(* : product)
        for (int t = 0; t < threads; t++) product *= i < 10 && t == i % threads ? 2 : 1;
#pragma omp single
        product_wanted *= i < 10 ? 2 : 1;
        REQUIRE(product == (float)product_wanted, "step %d: the product is %d", i, (int)product);
#pragma omp for schedule(static) reduction(+ : count)
        for (int t = 0; t < threads; t++) count += t + 1;
        REQUIRE(count == threads * (threads + 1) / 2 * (i + 1), "step %d: the count is %d", i, count);
#pragma omp single
        most = -1000000;
#pragma omp for schedule(static) reduction(max : most)
        for (int t = 0; t < threads; t++) most = value(i, t) > most ? value(i, t) : most;
        REQUIRE(most == most_of_values(i), "step %d: the most is %d", i, most);
#pragma omp for schedule(static) reduction(| : bits)
        for (int t = 0; t < threads; t++) bits |= 1u << (t + i) % 32;
        REQUIRE(bits >> i % 32 & 1, "step %d: bits %x", i, bits);
#pragma omp barrier // the others check their values
    }
}

// Several variables, and static ones.
static void several(void) {
    int sum = 7, most = -1000000, count = 0;
    double total = 1, highest = -1;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
#pragma omp for schedule(static) reduction(+ : sum, count) reduction(max : most)
        for (int t = 0; t < threads; t++) {
            sum += t;
            most = i + t > most ? i + t : most;
            count++;
        }
        REQUIRE(sum == 7 + threads * (threads - 1) / 2 * (i + 1) && count == threads * (i + 1) &&
                    most == i + threads - 1,
                "step %d: %d, %d, %d", i, sum, count, most);
#pragma omp for schedule(static) reduction(+ : total, count) reduction(max : highest)
        for (int t = 0; t < threads; t++) {
            total += 0.5;
            highest = i > highest ? i : highest;
        }
        REQUIRE(total == 1 + 0.5 * threads * (i + 1) && highest == i, "step %d: %d, %d", i, (int)total, (int)highest);
#pragma omp for schedule(static) reduction(+ : static_sum)
        for (int t = 0; t < threads; t++) static_sum += t;
        REQUIRE(static_sum == threads * (threads - 1) / 2 * (i + 1), "step %d: static: %d", i, (int)static_sum);
#pragma omp for schedule(static) reduction(+ : static_total)
        for (int t = 0; t < threads; t++) static_total += 1;
#pragma omp for schedule(static) reduction(max : static_most)
        for (int t = 0; t < threads; t++) static_most = i > static_most ? i : static_most;
        REQUIRE(static_total == (float)(threads * (i + 1)) && static_most == i, "step %d: static: %d, %d", i,
                (int)static_total, static_most);
#pragma omp barrier
    }
}

// Threads come at different times, and one of them very late.
static void uneven(void) {
    double sum = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
        const int me = omp_get_thread_num();
        for (volatile int wait = (me + i) % 4 * 150 + (i % 8 == 5 && me == i % threads) * 5000; wait > 0; wait--) {
        }
        data[me] = i;
#pragma omp for schedule(static) reduction(+ : sum)
        for (int t = 0; t < threads; t++) sum += t;
        REQUIRE(sum == threads * (threads - 1) / 2 * (i + 1), "step %d: the sum is %d", i, (int)sum);
        for (int t = 0; t < threads; t++) REQUIRE(data[t] == i, "step %d: thread %d's data is %d", i, t, data[t]);
#pragma omp barrier
    }
}

// Teams of other sizes in turn, with reductions at the end too.
static void sizes(void) {
    for (int i = 0; i < TIMES; i++) {
        const int size = i % 3 == 0 ? threads : (threads + 1) / 2;
        double sum = 0, last = 0;
#pragma omp parallel num_threads(size) reduction(+ : last)
        {
#pragma omp for schedule(static) reduction(+ : sum)
            for (int t = 0; t < size; t++) sum += t + 1;
            last += sum;
        }
        REQUIRE(sum == size * (size + 1) / 2 && last == sum * size, "%d threads: %d, %d", size, (int)sum, (int)last);
    }
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    singles();
    several();
    uneven();
    sizes();
    return 0;
}
