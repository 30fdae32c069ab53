// SPDX-License-Identifier: BSD-3-Clause
// Declares the computations of the measuring programs. They use no OpenMP. They are compiled once, and the programs for
// every OpenMP library use this compiled code. Another compiler can build the rest of these programs. The programs
// therefore differ only in the library and in the code of the OpenMP constructs.
#ifndef SKERRY_BENCH_OMP_COMPUTE_H
#define SKERRY_BENCH_OMP_COMPUTE_H

#include <stdbool.h>

// The queen of row i stands in columns[i]. queens_free returns true if no queen of the rows before `row` attacks the
// place (row, column). queens_place returns the number of ways to place queens in `row` and all following rows.
bool queens_free(const signed char *columns, int row, int column);
long queens_place(signed char *columns, int row, int side);

// These functions compute on square blocks of a matrix. `side` is the side of a block. If `half` is true, only the
// lower half of `c` is computed.
void lu_factor(double *diagonal, int side);
void lu_solve_row(const double *diagonal, double *block, int side);
void lu_solve_column(const double *diagonal, double *block, int side);
void lu_update(const double *left, const double *above, double *block, int side);
void cholesky_factor(double *diagonal, int side);
void cholesky_solve(const double *diagonal, double *block, int side);
void cholesky_update(const double *a, const double *b, double *c, int side, bool half); // c -= a * transposed b

// Compares and exchanges `pairs` pairs of numbers in one stage of the sorting network. The numbers of a pair are
// `distance` apart. Sequences of `run` numbers are sorted upwards and downwards alternately.
void bitonic_exchange(int *numbers, long first_pair, long pairs, long distance, long run);

// dense_row sets `product` to the sum of factors[k] * row k of `rows`. sparse_row returns the product of a sparse row
// and a vector.
void dense_row(double *product, const double *factors, const double *rows, int side);
double sparse_row(const double *values, const int *columns, int length, const double *vector);

// stream_direct and stream_buffered run a kernel of STREAM on the elements from `begin` to `end`. stream_buffered uses
// three small buffers, as the cores of Tendulkar et al. (2011) do with their scratchpads. In each step it fills one
// buffer from the arrays, computes on a second and empties a third.
enum stream_kernel { stream_copy, stream_scale, stream_add, stream_triad, stream_kernels };
enum { stream_small = 4096, stream_large = 1 << 20, stream_block = 512, stream_buffers = 3 };
extern double stream_a[stream_large], stream_b[stream_large], stream_c[stream_large];
void stream_fill(void);
bool stream_right(enum stream_kernel kernel, long length);
void stream_direct(enum stream_kernel kernel, long begin, long end);
void stream_buffered(enum stream_kernel kernel, long begin, long end);

#endif
