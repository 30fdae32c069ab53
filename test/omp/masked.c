// SPDX-License-Identifier: BSD-3-Clause
// master is thread 0's, masked the thread's that its filter names; nobody waits.
#include "test.h"

int main(void) {
    int threads = omp_get_max_threads(), ahead = 0;
    int master = 0, masked = 0, filtered = 0, nobody = 0;
#pragma omp parallel
    {
#pragma omp master
        {
            REQUIRE(omp_get_thread_num() == 0, "master in thread %d", omp_get_thread_num());
            test_wait(&ahead, threads - 1);
            master++;
        }
        test_add(&ahead, 1);
#pragma omp masked
        {
            REQUIRE(omp_get_thread_num() == 0, "masked in thread %d", omp_get_thread_num());
            masked++;
        }
        for (int i = 0; i < threads; i++) {
#pragma omp masked filter(i)
            {
                REQUIRE(omp_get_thread_num() == i, "filter(%d) in thread %d", i, omp_get_thread_num());
                test_add(&filtered, 1);
            }
        }
#pragma omp masked filter(threads)
        nobody++;
    }
    REQUIRE(master == 1 && masked == 1 && filtered == threads && nobody == 0,
            "master %d, masked %d, filtered %d, nobody %d", master, masked, filtered, nobody);
    int sum = 0;
#pragma omp parallel masked taskloop reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
    REQUIRE(sum == 4950, "parallel masked taskloop: %d", sum);
    return 0;
}
