// SPDX-License-Identifier: BSD-3-Clause
// Two sections run at the same time when there are two threads.
// threads: 2 3 8
#include "test.h"

int main(void) {
    int here = 0;
    for (int round = 0; round < 50; round++) {
#pragma omp parallel sections
        {
#pragma omp section
            test_meet(&here, 2);
#pragma omp section
            test_meet(&here, 2);
        }
    }
    return 0;
}
