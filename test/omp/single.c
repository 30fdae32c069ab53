// SPDX-License-Identifier: BSD-3-Clause
// single runs in one thread and the others wait for it; with nowait they do not; copyprivate gives all its values.
#include "test.h"

static int own;
#pragma omp threadprivate(own)

int main(void) {
    int rounds = test_rounds(2000);
    int shared = 0, nowaits = 0, ahead = 0, threads = omp_get_max_threads();
#pragma omp parallel
    {
        int copied;
        long large[100];
        for (int round = 1; round <= rounds; round++) {
#pragma omp single
            shared++;
            REQUIRE(shared == round, "round %d: past a single with %d", round, shared);
#pragma omp barrier
#pragma omp single nowait
            test_add(&nowaits, 1);
#pragma omp single copyprivate(copied, large, own)
            {
                copied = round;
                own = round + 7;
                for (int i = 0; i < 100; i++) large[i] = round + i;
            }
            REQUIRE(copied == round && own == round + 7, "round %d: copyprivate gave %d, %d", round, copied, own);
            for (int i = 0; i < 100; i++) REQUIRE(large[i] == round + i, "element %d is %ld", i, large[i]);
            large[round % 100] = -1; // of this thread alone
        }
        // With nowait the others need not wait.
#pragma omp single nowait
        test_wait(&ahead, threads - 1);
        test_add(&ahead, 1);
    }
    REQUIRE(nowaits == rounds, "%d singles with nowait in %d rounds", nowaits, rounds);
    return 0;
}
