// SPDX-License-Identifier: BSD-3-Clause
// Implements the computations that compute.h declares.
#include "compute.h"

#include <math.h>
#include <string.h>

bool queens_free(const signed char *columns, int row, int column) {
    for (int above = 0; above < row; above++) {
        int distance = columns[above] - column;
        if (distance == 0 || distance == row - above || distance == above - row) return false;
    }
    return true;
}

long queens_place(signed char *columns, int row, int side) {
    if (row == side) return 1;
    long sum = 0;
    for (int column = 0; column < side; column++)
        if (queens_free(columns, row, column)) {
            columns[row] = (signed char)column;
            sum += queens_place(columns, row + 1, side);
        }
    return sum;
}

void lu_factor(double *diagonal, int side) {
    for (int k = 0; k < side; k++)
        for (int i = k + 1; i < side; i++) {
            const double scale = diagonal[i * side + k] /= diagonal[k * side + k];
            for (int j = k + 1; j < side; j++) diagonal[i * side + j] -= scale * diagonal[k * side + j];
        }
}

void lu_solve_row(const double *diagonal, double *block, int side) {
    for (int k = 0; k < side; k++)
        for (int i = k + 1; i < side; i++)
            for (int j = 0; j < side; j++) block[i * side + j] -= diagonal[i * side + k] * block[k * side + j];
}

void lu_solve_column(const double *diagonal, double *block, int side) {
    for (int i = 0; i < side; i++)
        for (int k = 0; k < side; k++) {
            const double scale = block[i * side + k] /= diagonal[k * side + k];
            for (int j = k + 1; j < side; j++) block[i * side + j] -= scale * diagonal[k * side + j];
        }
}

void lu_update(const double *left, const double *above, double *block, int side) {
    for (int i = 0; i < side; i++)
        for (int k = 0; k < side; k++)
            for (int j = 0; j < side; j++) block[i * side + j] -= left[i * side + k] * above[k * side + j];
}

void cholesky_factor(double *diagonal, int side) {
    double *a = diagonal;
    for (int k = 0; k < side; k++) {
        a[k * side + k] = sqrt(a[k * side + k]);
        for (int i = k + 1; i < side; i++) a[i * side + k] /= a[k * side + k];
        for (int i = k + 1; i < side; i++)
            for (int j = k + 1; j <= i; j++) a[i * side + j] -= a[i * side + k] * a[j * side + k];
    }
}

void cholesky_solve(const double *diagonal, double *block, int side) {
    for (int i = 0; i < side; i++)
        for (int k = 0; k < side; k++) {
            double sum = block[i * side + k];
            for (int j = 0; j < k; j++) sum -= block[i * side + j] * diagonal[k * side + j];
            block[i * side + k] = sum / diagonal[k * side + k];
        }
}

void cholesky_update(const double *a, const double *b, double *c, int side, bool half) {
    for (int i = 0; i < side; i++)
        for (int j = 0; j < (half ? i + 1 : side); j++) {
            double sum = 0;
            for (int k = 0; k < side; k++) sum += a[i * side + k] * b[j * side + k];
            c[i * side + j] -= sum;
        }
}

void bitonic_exchange(int *numbers, long first_pair, long pairs, long distance, long run) {
    for (long pair = first_pair; pair < first_pair + pairs; pair++) {
        const long low = (pair & ~(distance - 1)) * 2 + (pair & (distance - 1)), high = low + distance;
        const int a = numbers[low], b = numbers[high];
        const bool up = (low & run) == 0;
        numbers[low] = (a < b) == up ? a : b;
        numbers[high] = (a < b) == up ? b : a;
    }
}

void dense_row(double *restrict product, const double *factors, const double *restrict rows, int side) {
    for (int j = 0; j < side; j++) product[j] = 0;
    for (int k = 0; k < side; k++)
        for (int j = 0; j < side; j++) product[j] += factors[k] * rows[k * side + j];
}

double sparse_row(const double *values, const int *columns, int length, const double *vector) {
    double sum = 0;
    for (int k = 0; k < length; k++) sum += values[k] * vector[columns[k]];
    return sum;
}

// -- STREAM ------------------------------------------------------------------------------------------------------------

double stream_a[stream_large], stream_b[stream_large], stream_c[stream_large];

void stream_fill(void) {
    for (long i = 0; i < stream_large; i++) stream_a[i] = 1, stream_b[i] = 2, stream_c[i] = 0;
}

static inline __attribute__((always_inline)) double value_of(enum stream_kernel kernel, double a, double b) {
    switch (kernel) {
    case stream_copy: return a;
    case stream_scale: return 3 * a;
    case stream_add: return a + b;
    default: return a + 3 * b;
    }
}

bool stream_right(enum stream_kernel kernel, long length) {
    for (long i = 0; i < length; i++)
        if (stream_c[i] != value_of(kernel, 1, 2)) return false;
    memset(stream_c, 0, (size_t)length * sizeof *stream_c);
    return true;
}

static inline __attribute__((always_inline)) void
compute(enum stream_kernel kernel, double *restrict c, const double *restrict a, const double *restrict b, long count) {
    for (long i = 0; i < count; i++) c[i] = value_of(kernel, a[i], b[i]);
}

static void compute_piece(enum stream_kernel kernel, double *c, const double *a, const double *b, long count) {
    switch (kernel) {
    case stream_copy: compute(stream_copy, c, a, b, count); break;
    case stream_scale: compute(stream_scale, c, a, b, count); break;
    case stream_add: compute(stream_add, c, a, b, count); break;
    default: compute(stream_triad, c, a, b, count);
    }
}

void stream_direct(enum stream_kernel kernel, long begin, long end) {
    compute_piece(kernel, stream_c + begin, stream_a + begin, stream_b + begin, end - begin);
}

void stream_buffered(enum stream_kernel kernel, long begin, long end) {
    double a[stream_buffers][stream_block], b[stream_buffers][stream_block], c[stream_buffers][stream_block];
    const long blocks = (end - begin) / stream_block;
    const size_t bytes = sizeof a[0];
    for (long step = 0; step < blocks + 2; step++) {
        const long filled = step, computed = step - 1, emptied = step - 2;
        if (filled < blocks) {
            memcpy(a[filled % stream_buffers], stream_a + begin + filled * stream_block, bytes);
            if (kernel >= stream_add)
                memcpy(b[filled % stream_buffers], stream_b + begin + filled * stream_block, bytes);
        }
        if (computed >= 0 && computed < blocks) {
            const long which = computed % stream_buffers;
            compute_piece(kernel, c[which], a[which], b[which], stream_block);
        }
        if (emptied >= 0) memcpy(stream_c + begin + emptied * stream_block, c[emptied % stream_buffers], bytes);
    }
    stream_direct(kernel, begin + blocks * stream_block, end);
}
