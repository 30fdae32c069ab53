// SPDX-License-Identifier: BSD-3-Clause
// Reduces over rows and columns. The PEs form a grid, with a team for each row and a team for each column. Every PE
// holds one number of a matrix. It gets the sum of its row from the PEs of its row only, and the sum of its column from
// the PEs of its column only.
#include <shmem.h>
#include <stdio.h>

static long number, row_sum, column_sum; // symmetric

// Returns the largest divisor of the PE count that is not larger than the square root of the count.
static int rows_of(int pes) {
    int rows = 1;
    for (int candidate = 1; candidate * candidate <= pes; candidate++)
        if (pes % candidate == 0) rows = candidate;
    return rows;
}

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    const int rows = rows_of(pes), columns = pes / rows;
    shmem_team_t row_team, column_team;
    if (shmem_team_split_2d(SHMEM_TEAM_WORLD, columns, NULL, 0, &row_team, NULL, 0, &column_team) != 0) {
        fprintf(stderr, "teams: PE %d: no team\n", me);
        shmem_global_exit(1);
    }
    const int column = shmem_team_my_pe(row_team), row = shmem_team_my_pe(column_team);
    number = 10 * row + column;
    shmem_long_sum_reduce(row_team, &row_sum, &number, 1);
    shmem_long_sum_reduce(column_team, &column_sum, &number, 1);
    const long row_expected = 10L * row * columns + (long)columns * (columns - 1) / 2;
    const long column_expected = (long)column * rows + 10L * rows * (rows - 1) / 2;
    const int right = me == row * columns + column && row_sum == row_expected && column_sum == column_expected;
    if (!right) fprintf(stderr, "teams: WRONG on PE %d: row sum %ld, column sum %ld\n", me, row_sum, column_sum);
    if (me == pes - 1)
        printf("teams: %d x %d PEs; in the last row %ld, in the last column %ld\n", rows, columns, row_sum, column_sum);
    shmem_team_destroy(row_team);
    shmem_team_destroy(column_team);
    shmem_finalize();
    return right ? 0 : 1;
}
