// SPDX-License-Identifier: BSD-3-Clause
// Counts all ways to place queens on a board so that no queen attacks another. `queens_fine` makes a task for each
// placed queen, `queens` makes tasks for the first rows only. The parameter is the side of the board.
#include "compute.h"
#include "measure.h"

#include <string.h>

enum { side = 10, solutions = 724, rows_of_tasks = 3 };

static long found;

static long place(const signed char *columns, int row, int last_row) {
    if (row == side) return 1;
    long sums[side] = {0};
    for (int column = 0; column < side; column++) {
        if (!queens_free(columns, row, column)) continue;
#pragma omp task shared(sums) firstprivate(columns, row, column, last_row)
        {
            signed char mine[side];
            memcpy(mine, columns, (size_t)row);
            mine[row] = (signed char)column;
            sums[column] = row < last_row ? place(mine, row + 1, last_row) : queens_place(mine, row + 1, side);
        }
    }
#pragma omp taskwait
    long sum = 0;
    for (int column = 0; column < side; column++) sum += sums[column];
    return sum;
}

static void run(long count, int last_row) {
    const signed char none[side] = {0};
    for (long i = 0; i < count; i++) {
#pragma omp parallel
#pragma omp single
        found = place(none, 0, last_row);
    }
}

static void test_fine(long count) {
    run(count, side);
}

static void test_coarse(long count) {
    run(count, rows_of_tasks - 1);
}

static bool right(void) {
    return found == solutions;
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    measure((struct measurement){.name = "queens_fine", .parameter = side, .test = test_fine, .right = right});
    measure((struct measurement){.name = "queens", .parameter = side, .test = test_coarse, .right = right});
    return 0;
}
