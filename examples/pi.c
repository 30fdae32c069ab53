// SPDX-License-Identifier: BSD-3-Clause
// Computes pi as the area under 4 / (1 + x^2) between 0 and 1. Of n PEs each adds up every n-th strip, and a reduction
// adds up the results of the PEs.
#include <math.h>
#include <shmem.h>
#include <stdio.h>

static double mine, pi; // symmetric

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    const long strips = 10000000;
    const double width = 1.0 / (double)strips;
    for (long i = me; i < strips; i += pes) {
        const double x = ((double)i + 0.5) * width;
        mine += 4.0 / (1.0 + x * x) * width;
    }
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &pi, &mine, 1); // every PE gets the sum
    const int right = fabs(pi - acos(-1.0)) < 1e-11;
    if (me == 0) printf("pi: %.12f from %ld strips on %d PEs, %s\n", pi, strips, pes, right ? "right" : "WRONG");
    shmem_finalize();
    return right ? 0 : 1;
}
