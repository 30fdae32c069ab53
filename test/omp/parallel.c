// SPDX-License-Identifier: BSD-3-Clause
// A region has as many threads as OMP_NUM_THREADS says, they run at the same time, each has a number of its own, and what
// they wrote is there afterwards.
#include "test.h"

#define ROUNDS 200

int main(void) {
    int wanted = atoi(getenv("OMP_NUM_THREADS"));
    int here = 0, size = 0;
    int *seen = calloc((size_t)wanted, sizeof *seen);
    REQUIRE(omp_get_max_threads() == wanted, "omp_get_max_threads says %d, not %d", omp_get_max_threads(), wanted);
    REQUIRE(!omp_in_parallel() && omp_get_num_threads() == 1 && omp_get_thread_num() == 0, "outside: not one thread");
    for (int round = 1; round <= ROUNDS; round++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num();
            REQUIRE(omp_get_num_threads() == wanted, "%d threads, not %d", omp_get_num_threads(), wanted);
            REQUIRE(me >= 0 && me < wanted, "thread number %d of %d", me, wanted);
            REQUIRE(omp_in_parallel() == (wanted > 1), "omp_in_parallel says %d", omp_in_parallel());
            REQUIRE(omp_get_level() == 1, "level %d", omp_get_level());
            seen[me]++; // plain: the region's end makes it visible
            test_meet(&here, wanted);
            if (me == 0) size = omp_get_num_threads();
        }
        REQUIRE(size == wanted, "thread 0 wrote %d", size);
        for (int i = 0; i < wanted; i++)
            REQUIRE(seen[i] == round, "round %d: thread %d ran %d times", round, i, seen[i]);
        REQUIRE(!omp_in_parallel() && omp_get_level() == 0, "still inside");
    }
    free(seen);
    return 0;
}
