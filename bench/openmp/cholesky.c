// SPDX-License-Identifier: BSD-3-Clause
// Factors a symmetric matrix of dense blocks by Cholesky's method. Each operation on a block is a task. The tasks'
// depend clauses name the blocks that a task reads and writes, and so order the tasks. `cholesky_fine` has small
// blocks. The parameter is the side of a block.
#include "compute.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { fine = 8, fine_blocks = 24, coarse = 64, coarse_blocks = 8 };

static int side, blocks; // side of a block; side of the matrix in blocks
static double *matrix, *original;

static double *block_at(double *of, int row, int column) {
    return of + (row * blocks + column) * side * side;
}

static void fill(void) {
    const size_t all = (size_t)(side * side * blocks * blocks);
    matrix = calloc(all, sizeof *matrix);
    original = calloc(all, sizeof *original);
    if (!matrix || !original) abort();
    for (int row = 0; row < side * blocks; row++)
        for (int column = 0; column <= row; column++)
            block_at(original, row / side, column / side)[row % side * side + column % side] =
                row == column ? 2.0 * side * blocks : (double)((row * 31 + column * 17) % 97) / 97;
}

static void spawn_all(void) {
    for (int k = 0; k < blocks; k++) {
        double *diagonal = block_at(matrix, k, k);
#pragma omp task depend(inout : *diagonal) firstprivate(diagonal)
        cholesky_factor(diagonal, side);
        for (int i = k + 1; i < blocks; i++) {
            double *a = block_at(matrix, i, k);
#pragma omp task depend(in : *diagonal) depend(inout : *a) firstprivate(diagonal, a)
            cholesky_solve(diagonal, a, side);
        }
        for (int i = k + 1; i < blocks; i++)
            for (int j = k + 1; j <= i; j++) {
                double *a = block_at(matrix, i, k), *b = block_at(matrix, j, k), *c = block_at(matrix, i, j);
#pragma omp task depend(in : *a, *b) depend(inout : *c) firstprivate(a, b, c, i, j)
                cholesky_update(a, b, c, side, i == j);
            }
    }
}

static void test_cholesky(long count) {
    for (long i = 0; i < count; i++) {
        memcpy(matrix, original, (size_t)(side * side * blocks * blocks) * sizeof *matrix);
#pragma omp parallel
#pragma omp single
        spawn_all();
    }
}

static double element(double *of, int row, int column) {
    return block_at(of, row / side, column / side)[row % side * side + column % side];
}

// Returns true if the result is right: multiplies the factor with its transpose, and compares one row of the product
// with this row of the original matrix.
static bool right(void) {
    const int row = side * blocks - 3;
    for (int column = 0; column <= row; column++) {
        double sum = 0;
        for (int k = 0; k <= column; k++) sum += element(matrix, row, k) * element(matrix, column, k);
        if (!(fabs(sum - element(original, row, column)) < 1e-9)) return false;
    }
    return true;
}

static void measure_blocks(const char *name, int block_side, int block_count) {
    side = block_side;
    blocks = block_count;
    fill();
    measure((struct measurement){.name = name, .parameter = side, .test = test_cholesky, .right = right});
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    measure_blocks("cholesky_fine", fine, fine_blocks);
    measure_blocks("cholesky", coarse, coarse_blocks);
    return 0;
}
