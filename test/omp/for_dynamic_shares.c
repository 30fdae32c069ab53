// SPDX-License-Identifier: BSD-3-Clause
// schedule(dynamic): while one thread is held in an iteration the others run all that is left.
// threads: 2 3 4 8 16
#include "test.h"

#define COUNT 100

int main(void) {
    int done = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < COUNT; i++) {
        if (i == 0) test_wait(&done, COUNT - 1);
        test_add(&done, 1);
    }
    REQUIRE(done == COUNT, "%d of %d ran", done, COUNT);
    return 0;
}
