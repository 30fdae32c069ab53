// SPDX-License-Identifier: BSD-3-Clause
// Every thread of a team follows a chain of tasks of its own, each of which waits for the next: whoever has a task that only another
// may run must not keep it.
#include "test.h"

static long follow(int length) {
    long result = 0;
    if (length == 0) return 0;
#pragma omp task shared(result)
    result = follow(length - 1) + 1;
#pragma omp taskwait
    return result;
}

int main(void) {
    for (int round = 0; round < 40; round++) {
#pragma omp parallel
        {
            long length = follow(150);
            REQUIRE(length == 150, "round %d: %ld", round, length);
        }
    }
    return 0;
}
