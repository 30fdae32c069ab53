// SPDX-License-Identifier: BSD-3-Clause
// Computes the temperatures of a plate whose upper edge is hot (Jacobi's method for Laplace's equation), with OpenMP. The
// grid is larger than the memory of a core of a chip. So each thread copies its rows, and those beside them, to a buffer on
// its stack by <skerry_omp.h>, and copies the new row back. On Linux the same program is compiled by gcc -fopenmp.
//     oshcc --machine sarc-16 -fopenmp -O2 relax_omp.c -o relax.elf && oshrun --machine sarc-16 relax.elf
#include <omp.h>
#include <skerry_omp.h>
#include <stdio.h>

#define ROWS 48
#define COLUMNS 128 // a row has 512 bytes
#define STEPS 4

static SKERRY_OMP_EXTERNAL float grid[2][ROWS][COLUMNS]; // in each step one is read, and the other one written

// Computes the new row from the old one, the one above and the one below.
static void relax(float *row, const float *above, const float *old, const float *below) {
    row[0] = old[0];
    row[COLUMNS - 1] = old[COLUMNS - 1];
    for (int i = 1; i < COLUMNS - 1; i++) row[i] = (above[i] + below[i] + old[i - 1] + old[i + 1]) * 0.25f;
}

static void step(const float (*from)[COLUMNS], float (*to)[COLUMNS]) {
#pragma omp parallel for
    for (int r = 1; r < ROWS - 1; r++) {
        _Alignas(8) float old[3][COLUMNS], row[COLUMNS];
        skerry_omp_counter_t counter = {0};
        skerry_omp_get_begin(&counter, old, from[r - 1], sizeof old);
        skerry_omp_complete(&counter);
        relax(row, old[0], old[1], old[2]);
        skerry_omp_put_begin(&counter, to[r], row, sizeof row);
        skerry_omp_complete(&counter);
    }
}

// Returns true if threads that load and store the grid's elements where they are compute the same values.
static int is_right(void) {
    static SKERRY_OMP_EXTERNAL float expected[2][ROWS][COLUMNS];
    int wrong = 0;
    for (int g = 0; g < 2; g++)
        for (int i = 0; i < COLUMNS; i++) expected[g][0][i] = 100;
    for (int s = 0; s < STEPS; s++) {
#pragma omp parallel for
        for (int r = 1; r < ROWS - 1; r++)
            relax(expected[1 - s % 2][r], expected[s % 2][r - 1], expected[s % 2][r], expected[s % 2][r + 1]);
    }
#pragma omp parallel for reduction(+ : wrong)
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < COLUMNS; i++) wrong += grid[STEPS % 2][r][i] != expected[STEPS % 2][r][i];
    return wrong == 0;
}

int main(void) {
    for (int g = 0; g < 2; g++)
        for (int i = 0; i < COLUMNS; i++) grid[g][0][i] = 100;
    const double start = omp_get_wtime();
    for (int s = 0; s < STEPS; s++) step(grid[s % 2], grid[1 - s % 2]);
    const int microseconds = (int)((omp_get_wtime() - start) * 1e6);
    const int is_equal = is_right();
    printf("relax: %d steps of %d rows by %d threads take %d us, %s\n", STEPS, ROWS, omp_get_max_threads(),
           microseconds, is_equal ? "right" : "WRONG");
    return !is_equal;
}
