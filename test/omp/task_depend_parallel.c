// SPDX-License-Identifier: BSD-3-Clause
// Independent tasks with dependences run at the same time, and readers of the same cell do too.
// threads: 2 4 8
#include "test.h"

int main(void) {
    int threads = omp_get_max_threads(), here = 0;
    static int cells[64], common;
    for (int round = 0; round < 10; round++) {
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out : common)
            common = round;
            for (int i = 0; i < threads; i++) {
#pragma omp task depend(in : common) depend(out : cells[i])
                {
                    REQUIRE(common == round, "too early");
                    test_meet(&here, threads);
                    cells[i] = round;
                }
            }
#pragma omp task depend(inout : common)
            for (int i = 0; i < threads; i++) REQUIRE(cells[i] == round, "the writer before reader %d", i);
        }
    }
    return 0;
}
