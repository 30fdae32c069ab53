// SPDX-License-Identifier: BSD-3-Clause
// critical excludes; sections with other names do not exclude each other; hints change nothing.
#include "test.h"

int main(void) {
    int threads = omp_get_max_threads(), rounds = test_rounds(20000);
    static long plain, first, second, hinted;
    static long copies[4];
    int here = 0;
#pragma omp parallel
    {
        for (int round = 0; round < rounds; round++) {
#pragma omp critical
            {
                REQUIRE(plain == copies[0], "two in the unnamed section");
                plain++;
                copies[0]++;
            }
#pragma omp critical(first)
            {
                REQUIRE(first == copies[1], "two in a named section");
                first++;
                copies[1]++;
            }
#pragma omp critical(second)
            second++;
#pragma omp critical(hinted) hint(omp_sync_hint_contended | omp_sync_hint_nonspeculative)
            hinted++;
        }
    }
    long right = (long)threads * rounds;
    REQUIRE(plain == right && first == right && second == right && hinted == right, "%ld %ld %ld %ld of %ld", plain,
            first, second, hinted, right);
    // Names apart: one holds each, and they meet inside.
    if (threads >= 3) {
#pragma omp parallel num_threads(3)
        {
            if (omp_get_thread_num() == 0) {
#pragma omp critical
                test_meet(&here, 3);
            } else if (omp_get_thread_num() == 1) {
#pragma omp critical(first)
                test_meet(&here, 3);
            } else {
#pragma omp critical(second)
                test_meet(&here, 3);
            }
        }
    }
    return 0;
}
