// SPDX-License-Identifier: BSD-3-Clause
// Transposes a matrix whose rows are distributed over the PEs. The result is distributed in the same way. Each PE
// transposes its square blocks, and one all-to-all exchange moves block j of PE i to place i of PE j.
#include <shmem.h>
#include <stdio.h>

enum { side = 48 }; // rows and columns of a block

// Returns the element of the matrix at a place, so that every PE can check the elements that arrive.
static long element(long row, long column) {
    return row * 100003 + column;
}

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    const size_t block = side * side;
    long *turned = shmem_malloc((size_t)pes * block * sizeof(long));
    long *arrived = shmem_malloc((size_t)pes * block * sizeof(long));
    if (turned == NULL || arrived == NULL) shmem_global_exit(1);
    for (int pe = 0; pe < pes; pe++)
        for (int row = 0; row < side; row++)
            for (int column = 0; column < side; column++)
                turned[(size_t)pe * block + (size_t)(column * side + row)] =
                    element(me * side + row, pe * side + column);

    shmem_long_alltoall(SHMEM_TEAM_WORLD, arrived, turned, block);

    // Checks the result. Row r of this PE's part of the transpose is column me * side + r of the matrix. The block that
    // came from PE `pe` has the elements of this column in PE `pe`'s rows.
    size_t wrong = 0;
    for (int pe = 0; pe < pes; pe++)
        for (int row = 0; row < side; row++)
            for (int column = 0; column < side; column++)
                wrong += arrived[(size_t)pe * block + (size_t)(row * side + column)] !=
                         element(pe * side + column, me * side + row);
    if (wrong != 0) fprintf(stderr, "transpose: PE %d has %zu WRONG elements\n", me, wrong);
    if (me == 0) printf("transpose: a matrix of %d x %d numbers on %d PEs\n", pes * side, pes * side, pes);
    shmem_free(arrived);
    shmem_free(turned);
    shmem_finalize();
    return wrong == 0 ? 0 : 1;
}
