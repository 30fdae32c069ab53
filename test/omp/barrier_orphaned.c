// SPDX-License-Identifier: BSD-3-Clause
// Constructs outside any region are of a team of one.
// threads: 1 4
#include "test.h"

int main(void) {
    static int single, masked, sections, sum, last;
#pragma omp barrier
#pragma omp single
    single++;
#pragma omp master
    masked++;
#pragma omp for schedule(dynamic) lastprivate(last)
    for (int i = 0; i < 10; i++) {
        sum += i;
        last = i;
    }
#pragma omp for schedule(static) ordered
    for (int i = 0; i < 10; i++) {
#pragma omp ordered
        sum += i;
    }
#pragma omp sections
    {
#pragma omp section
        sections++;
#pragma omp section
        sections++;
    }
#pragma omp critical
    sum++;
#pragma omp taskgroup
    {
#pragma omp task shared(sum)
        sum++;
    }
#pragma omp taskwait
#pragma omp flush
    REQUIRE(single == 1 && masked == 1 && sections == 2 && sum == 92 && last == 9,
            "single %d, master %d, sections %d, sum %d, last %d", single, masked, sections, sum, last);
    return 0;
}
