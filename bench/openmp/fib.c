// SPDX-License-Identifier: BSD-3-Clause
// Computes a Fibonacci number by its recursive definition, with a task for each call. Nearly all of the time is
// therefore the cost of tasks. The parameter is the index of the number.
#include "measure.h"

enum { index_of = 30, value_of = 832040 };

static long result;

static long fib(int n) {
    if (n < 2) return n;
    long left, right;
#pragma omp task shared(left) firstprivate(n)
    left = fib(n - 1);
#pragma omp task shared(right) firstprivate(n)
    right = fib(n - 2);
#pragma omp taskwait
    return left + right;
}

static void test_fib(long count) {
    for (long i = 0; i < count; i++) {
#pragma omp parallel
#pragma omp single
        result = fib(index_of);
    }
}

static bool right(void) {
    return result == value_of;
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    measure((struct measurement){.name = "fib", .parameter = index_of, .test = test_fib, .right = right});
    return 0;
}
