// SPDX-License-Identifier: BSD-3-Clause
// threadprivate data: a copy a thread that lasts from region to region of the same size; copyin gives the master's value.
#include "test.h"

static int counter = 5;
static struct { int values[40]; } block;
#pragma omp threadprivate(counter, block)

int main(void) {
    counter = 10;
    for (int i = 0; i < 40; i++) block.values[i] = i + 1;
#pragma omp parallel
    if (omp_get_thread_num() != 0) REQUIRE(counter == 5, "a worker's copy begins as %d", counter);
#pragma omp parallel copyin(counter, block)
    {
        REQUIRE(counter == 10, "copyin gave %d", counter);
        for (int i = 0; i < 40; i++) REQUIRE(block.values[i] == i + 1, "copyin: element %d is %d", i, block.values[i]);
#pragma omp barrier
        counter = 100 + omp_get_thread_num();
        block.values[0] = omp_get_thread_num();
    }
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num();
            REQUIRE(counter == 100 + me + round * 1000, "thread %d of the next region has %d", me, counter);
            REQUIRE(block.values[0] == me && block.values[39] == 40, "thread %d: block of another", me);
            counter += 1000;
        }
    }
    REQUIRE(counter == 5100, "the master has %d", counter);
    return 0;
}
