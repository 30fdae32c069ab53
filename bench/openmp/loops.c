// SPDX-License-Identifier: BSD-3-Clause
// Measures programs that call the OpenMP library rarely: a dense matrix product, and the product of a sparse matrix and
// a vector, each by one parallel loop. The parameter is the side of the matrix.
#include "compute.h"
#include "measure.h"

enum { dense_side = 160, sparse_side = 40000, row_length = 9 };

static double left[dense_side][dense_side], right_hand[dense_side][dense_side], product[dense_side][dense_side];
static double values[sparse_side][row_length], vector[sparse_side], result[sparse_side];
static int columns[sparse_side][row_length];

static void fill(void) {
    for (int i = 0; i < dense_side; i++)
        for (int j = 0; j < dense_side; j++) left[i][j] = i + j, right_hand[i][j] = i - j;
    for (int i = 0; i < sparse_side; i++) {
        vector[i] = i;
        for (int k = 0; k < row_length; k++) {
            values[i][k] = 1;
            columns[i][k] = (i + (k - row_length / 2) * 331 + sparse_side) % sparse_side;
        }
    }
}

static void test_dense(long count) {
    for (long turn = 0; turn < count; turn++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < dense_side; i++) dense_row(product[i], left[i], right_hand[0], dense_side);
    }
}

static bool dense_right(void) {
    double sum = 0;
    for (int k = 0; k < dense_side; k++) sum += left[7][k] * right_hand[k][5];
    return product[7][5] == sum;
}

static void test_sparse(long count) {
    for (long turn = 0; turn < count; turn++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < sparse_side; i++) result[i] = sparse_row(values[i], columns[i], row_length, vector);
    }
}

static bool sparse_right(void) {
    return result[sparse_side / 2] == (double)row_length * (sparse_side / 2);
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    fill();
    measure((struct measurement){.name = "dense", .parameter = dense_side, .test = test_dense, .right = dense_right});
    measure(
        (struct measurement){.name = "sparse", .parameter = sparse_side, .test = test_sparse, .right = sparse_right});
    return 0;
}
