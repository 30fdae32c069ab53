// SPDX-License-Identifier: BSD-3-Clause
// Each section runs once; lastprivate is the last one's; more sections than threads and fewer.
#include "test.h"

static int runs[5];

static void check(const char *what, int round) {
    for (int i = 0; i < 5; i++)
        REQUIRE(runs[i] == round, "%s: section %d ran %d times, not %d", what, i, runs[i], round);
}

int main(void) {
    int last = -1, sum = 0, firsts = 0;
    for (int round = 1; round <= 100; round++) {
#pragma omp parallel sections lastprivate(last) reduction(+ : sum)
        {
            runs[0]++;
#pragma omp section
            {
                runs[1]++;
                last = 1;
                sum += 10;
            }
#pragma omp section
            {
                runs[2]++;
                last = 2;
                sum += 100;
            }
#pragma omp section
            {
                runs[3]++;
                last = 3;
                sum += 1000;
            }
#pragma omp section
            {
                runs[4]++;
                last = 4;
                sum += 10000;
            }
        }
        check("parallel sections", round);
        REQUIRE(last == 4, "lastprivate is %d", last);
    }
    REQUIRE(sum == 100 * 11110, "sum %d", sum);
    memset(runs, 0, sizeof runs);
#pragma omp parallel
    for (int round = 1; round <= 100; round++) {
#pragma omp sections
        {
#pragma omp section
            runs[0]++;
#pragma omp section
            runs[1]++;
#pragma omp section
            runs[2]++;
#pragma omp section
            runs[3]++;
#pragma omp section
            runs[4]++;
        }
        check("sections", round);
#pragma omp barrier
#pragma omp sections nowait
        {
#pragma omp section
            test_add(&firsts, round);
        }
    }
    REQUIRE(firsts == 5050, "one section: %d", firsts);
    return 0;
}
