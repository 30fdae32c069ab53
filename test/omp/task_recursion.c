// SPDX-License-Identifier: BSD-3-Clause
// A task a call: Fibonacci numbers, with the result on the parent's stack.
#include "test.h"

static int fib(int n) {
    if (n < 2) return n;
    int left, right;
#pragma omp task shared(left)
    left = fib(n - 1);
#pragma omp task shared(right)
    right = fib(n - 2);
#pragma omp taskwait
    return left + right;
}

int main(void) {
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(20);
    REQUIRE(result == 6765, "fib(20) is %d", result);
#pragma omp parallel
    {
        int mine = fib(12); // all at once
        REQUIRE(mine == 144, "fib(12) is %d", mine);
    }
    return 0;
}
