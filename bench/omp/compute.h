// SPDX-License-Identifier: BSD-3-Clause
// What the programs compute, without OpenMP. One compiler compiles it for all contenders, so that a peer whose programs
// another compiler builds is measured by its library alone.
#ifndef SKERRY_BENCH_OMP_COMPUTE_H
#define SKERRY_BENCH_OMP_COMPUTE_H

#include <stdbool.h>

// Queens in the first rows stand in these columns.
bool queens_free(const signed char *columns, int row, int column);
long queens_place(signed char *columns, int row, int side);

// Square blocks of matrices.
void lu_factor(double *diagonal, int side);
void lu_solve_row(const double *diagonal, double *block, int side);
void lu_solve_column(const double *diagonal, double *block, int side);
void lu_update(const double *left, const double *above, double *block, int side);
void cholesky_factor(double *diagonal, int side);
void cholesky_solve(const double *diagonal, double *block, int side);
void cholesky_update(const double *a, const double *b, double *c, int side, bool half); // c -= a b'; its lower half

// Pairs of a stage of the sorting network whose partners are `distance` apart, in runs that go up and down in turn.
void bitonic_exchange(int *numbers, long first_pair, long pairs, long distance, long run);

// product += factor[k] * rows[k], for all k.
void dense_row(double *product, const double *factors, const double *rows, int side);
double sparse_row(const double *values, const int *columns, int length, const double *vector);

// STREAM's kernels over elements from begin to end: directly, or through three small buffers: one is filled from the
// arrays while the next is computed on and the one before is emptied, as S4's cores do with their scratchpads.
enum stream_kernel { stream_copy, stream_scale, stream_add, stream_triad, stream_kernels };
enum { stream_small = 4096, stream_large = 1 << 20, stream_block = 512, stream_buffers = 3 };
extern double stream_a[stream_large], stream_b[stream_large], stream_c[stream_large];
void stream_fill(void);
bool stream_right(enum stream_kernel kernel, long length);
void stream_direct(enum stream_kernel kernel, long begin, long end);
void stream_buffered(enum stream_kernel kernel, long begin, long end);

#endif
