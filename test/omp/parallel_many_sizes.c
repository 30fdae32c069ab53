// SPDX-License-Identifier: BSD-3-Clause
// Regions of all sizes in descending order, so that each team of the runtime keeps a thread that no later region needs; then in
// a mixed and in ascending order. A core's memory is not enough for teams of all these sizes. Each region is run twice. On
// machines whose cores have memories of their own the second one is short: the runtime has given up older teams, and none of
// its words is in external memory. A nested region of one thread begins in each, so that threads have teams of their own.
// threads: 16
#include <omp.h>

#include "test.h"

static double run(int count, int expected_level) {
    int threads = 0, sum = 0;
    const double begin = omp_get_wtime();
#pragma omp parallel num_threads(count) reduction(+ : threads, sum)
    {
        threads += 1;
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < 20; i++) sum += i;
#pragma omp parallel num_threads(1)
        REQUIRE(omp_get_level() == expected_level, "level %d", omp_get_level());
    }
    const double time = omp_get_wtime() - begin;
    REQUIRE(threads == count && sum == 190, "with %d: %d threads, sum %d", count, threads, sum);
    return time;
}

static void run_twice(int count, int expected_level) {
    (void)run(count, expected_level);
    const double time = run(count, expected_level);
#ifdef __riscv
    REQUIRE(time < 60e-6, "the second region of %d threads took %.1f us", count, time * 1e6);
#else
    (void)time;
#endif
}

int main(void) {
    const int most = omp_get_max_threads();
    for (int i = 0; i < most; i++) run_twice(most - i, 2);
#pragma omp parallel if (0)
    for (int i = 0; i < most; i++) run_twice(i * 7 % most + 1, 3);
    for (int i = 0; i < most; i++) run_twice(i + 1, 2);
    return 0;
}
