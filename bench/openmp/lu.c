// SPDX-License-Identifier: BSD-3-Clause
// Factors a sparse matrix of dense blocks into a lower and an upper triangle, without pivots. Each block that changes
// in a phase is computed by a task of its own, and a taskwait ends the phase. `lu_fine` has small blocks. The parameter
// is the side of a block.
#include "compute.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { fine = 8, fine_blocks = 24, coarse = 48, coarse_blocks = 10 };

static int side, blocks; // side of a block; side of the matrix in blocks
static double **matrix, **original;

static double *new_block(void) {
    double *block = calloc((size_t)(side * side), sizeof *block);
    if (!block) abort();
    return block;
}

// Returns true if the sparse matrix has the block in this row and column. The matrix has the blocks on the diagonal,
// their neighbours, and about a third of the other blocks.
static bool is_filled(int row, int column) {
    const int distance = abs(row - column);
    return distance < 2 || (row * 7 + column * 3) % 3 == 0;
}

static double element(int row, int column, int place) {
    const bool diagonal = row == column && place % (side + 1) == 0;
    return diagonal ? 10.0 * side * blocks : (double)((row * 31 + column * 17 + place * 13) % 97) / 97;
}

static void fill(void) {
    matrix = calloc((size_t)(blocks * blocks), sizeof *matrix);
    original = calloc((size_t)(blocks * blocks), sizeof *original);
    if (!matrix || !original) abort();
    for (int i = 0; i < blocks * blocks; i++) {
        if (!is_filled(i / blocks, i % blocks)) continue;
        original[i] = new_block();
        for (int k = 0; k < side * side; k++) original[i][k] = element(i / blocks, i % blocks, k);
    }
}

// Restores the original matrix. A factorisation adds blocks that the original matrix does not have. Such a block stays
// allocated and is cleared.
static void restore(void) {
    const size_t bytes = (size_t)(side * side) * sizeof **matrix;
    for (int i = 0; i < blocks * blocks; i++) {
        if (!matrix[i] && original[i]) matrix[i] = new_block();
        if (matrix[i] && original[i]) memcpy(matrix[i], original[i], bytes);
        else if (matrix[i]) memset(matrix[i], 0, bytes);
    }
}

static void eliminate(int k) {
    lu_factor(matrix[k * blocks + k], side);
    for (int i = k + 1; i < blocks; i++) {
        if (matrix[k * blocks + i]) {
#pragma omp task firstprivate(i, k)
            lu_solve_row(matrix[k * blocks + k], matrix[k * blocks + i], side);
        }
        if (matrix[i * blocks + k]) {
#pragma omp task firstprivate(i, k)
            lu_solve_column(matrix[k * blocks + k], matrix[i * blocks + k], side);
        }
    }
#pragma omp taskwait
    for (int i = k + 1; i < blocks; i++) {
        if (!matrix[i * blocks + k]) continue;
        for (int j = k + 1; j < blocks; j++) {
            if (!matrix[k * blocks + j]) continue;
            if (!matrix[i * blocks + j]) matrix[i * blocks + j] = new_block();
#pragma omp task firstprivate(i, j, k)
            lu_update(matrix[i * blocks + k], matrix[k * blocks + j], matrix[i * blocks + j], side);
        }
    }
#pragma omp taskwait
}

static void test_lu(long count) {
    for (long i = 0; i < count; i++) {
        restore();
#pragma omp parallel
#pragma omp single
        for (int k = 0; k < blocks; k++) eliminate(k);
    }
}

static double factored(int row, int column) {
    const double *block = matrix[row / side * blocks + column / side];
    return block ? block[row % side * side + column % side] : 0;
}

// Returns true if the result is right: multiplies both triangles, and compares one row of the product with this row of
// the original matrix.
static bool right(void) {
    const int all = side * blocks, row = all - 3;
    for (int column = 0; column < all; column++) {
        double sum = row <= column ? factored(row, column) : 0;
        for (int k = 0; k <= column && k < row; k++) sum += factored(row, k) * factored(k, column);
        const double *block = original[row / side * blocks + column / side];
        const double expected = block ? block[row % side * side + column % side] : 0;
        if (!(fabs(sum - expected) < 1e-9)) return false;
    }
    return true;
}

static void measure_blocks(const char *name, int block_side, int block_count) {
    side = block_side;
    blocks = block_count;
    fill();
    measure((struct measurement){.name = name, .parameter = side, .test = test_lu, .right = right});
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    measure_blocks("lu_fine", fine, fine_blocks);
    measure_blocks("lu", coarse, coarse_blocks);
    return 0;
}
