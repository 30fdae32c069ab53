// SPDX-License-Identifier: BSD-3-Clause
// shmem_team_split_2d with every width: this PE's row and column have the right members in the right order, a last row may
// be short, a width above the size counts as the size; also on a reversed parent.
#include "test.h"

static void require_line(shmem_team_t parent, shmem_team_t line, int rank, int size, int first, int step,
                         const char *what, int width) {
    REQUIRE(line != SHMEM_TEAM_INVALID, "width %d: no %s", width, what);
    REQUIRE(shmem_team_my_pe(line) == rank && shmem_team_n_pes(line) == size, "width %d: %s is %d of %d, not %d of %d",
            width, what, shmem_team_my_pe(line), shmem_team_n_pes(line), rank, size);
    for (int i = 0; i < size; i++)
        REQUIRE(shmem_team_translate_pe(line, i, parent) == first + i * step, "width %d: member %d of the %s is %d",
                width, i, what, shmem_team_translate_pe(line, i, parent));
}

static void try_width(shmem_team_t parent, int width) {
    int size = shmem_team_n_pes(parent), mine = shmem_team_my_pe(parent);
    int across = width < size ? width : size;
    int x = mine % across, y = mine / across;
    int row_size = (y + 1) * across <= size ? across : size - y * across;
    int column_size = (size - x + across - 1) / across;
    shmem_team_t row, column;
    REQUIRE(shmem_team_split_2d(parent, width, NULL, 0, &row, NULL, 0, &column) == 0, "2D split by %d refused", width);
    require_line(parent, row, x, row_size, y * across, 1, "row", width);
    require_line(parent, column, y, column_size, x, across, "column", width);
    // Both work, with nothing in between.
    static long source, sum;
    source = 1000 + mine;
    shmem_long_sum_reduce(row, &sum, &source, 1);
    long expected = row_size * (1000L + y * across) + (long)row_size * (row_size - 1) / 2;
    REQUIRE(sum == expected, "width %d: the row's sum is %ld, not %ld", width, sum, expected);
    shmem_team_sync(column);
    shmem_team_destroy(column);
    shmem_team_destroy(row);
}

int main(void) {
    test_begin();
    for (int width = 1; width <= pes + 2; width++) try_width(SHMEM_TEAM_WORLD, width);
    shmem_team_t reversed;
    REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &reversed), "no reversed team");
    for (int width = 1; width <= pes; width += 2) try_width(reversed, width);
    shmem_team_destroy(reversed);
    shmem_team_t row = SHMEM_TEAM_WORLD, column = SHMEM_TEAM_WORLD;
    REQUIRE(shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &row, NULL, 0, &column) != 0 &&
                row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID,
            "a width of 0 must fail");
    return test_end();
}
