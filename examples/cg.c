// SPDX-License-Identifier: BSD-3-Clause
// Solves A x = b by conjugate gradients (Hestenes and Stiefel 1952). A is a symmetric positive definite matrix in a
// file of Matrix Market's coordinate format. The rows of A and the elements of all vectors are distributed over the
// PEs. A product with A collects the whole vector on every PE, and a dot product is a sum reduction. b is chosen so
// that all elements of x are 1.
#include <errno.h>
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t row, column; // from 0
    double value;
} Entry;

typedef struct {
    size_t first_row, rows; // this PE's rows
    size_t count;
    Entry *entry;  // the entries of this PE's rows
    double *whole; // symmetric: all elements of the vector that is multiplied
} Matrix;

// Symmetric: the order of A and the number of its entries. PE 0 stores them in `found`; a broadcast copies them into
// `size` on all PEs.
static int64_t found[2], size[2];
static double my_sum, sum; // symmetric

static void fail(const char *path, const char *why) {
    fprintf(stderr, "cg: PE %d: %s: %s\n", shmem_my_pe(), path, why);
    shmem_global_exit(1);
    abort();
}

static void *must(void *memory) {
    if (memory == NULL) fail("memory", "not enough");
    return memory;
}

// Reads the file; called by PE 0 only. Returns all entries. The file of a symmetric matrix has only the lower half of
// the matrix; the returned entries are those of both halves.
static Entry *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) fail(path, strerror(errno));
    char line[256], kind[32] = "";
    if (fgets(line, sizeof line, file) == NULL ||
        sscanf(line, "%%%%MatrixMarket matrix coordinate real %31s", kind) != 1)
        fail(path, "not a Matrix Market file of a sparse real matrix");
    const int symmetric = strcmp(kind, "symmetric") == 0;
    do {
        if (fgets(line, sizeof line, file) == NULL) fail(path, "ends before the matrix");
    } while (line[0] == '%');
    long long rows, columns, lines;
    if (sscanf(line, "%lld %lld %lld", &rows, &columns, &lines) != 3 || rows != columns || rows < 1 ||
        rows > INT32_MAX || lines < 1 || lines > INT32_MAX)
        fail(path, "not a square matrix");
    Entry *entries = must(malloc(2 * (size_t)lines * sizeof *entries));
    size_t count = 0;
    for (long long i = 0; i < lines; i++) {
        long long row, column;
        double value;
        if (fscanf(file, "%lld %lld %lf", &row, &column, &value) != 3 || row < 1 || row > rows || column < 1 ||
            column > columns)
            fail(path, "an entry is damaged or missing");
        entries[count++] = (Entry){row - 1, column - 1, value};
        if (symmetric && row != column) entries[count++] = (Entry){column - 1, row - 1, value};
    }
    fclose(file);
    found[0] = rows;
    found[1] = (int64_t)count;
    return entries;
}

// Reads the matrix on PE 0, and sends all its entries to every PE. Each PE keeps only the entries of its own rows.
// Returns this PE's part of the matrix.
static Matrix distribute(const char *path) {
    const size_t me = (size_t)shmem_my_pe(), pes = (size_t)shmem_n_pes();
    Entry *read = me == 0 ? read_file(path) : NULL;
    shmem_int64_broadcast(SHMEM_TEAM_WORLD, size, found, 2, 0);
    const size_t order = (size_t)size[0], count = (size_t)size[1];
    Entry *source = must(shmem_malloc(count * sizeof(Entry))), *all = must(shmem_malloc(count * sizeof(Entry)));
    if (me == 0) memcpy(source, read, count * sizeof(Entry));
    free(read);
    shmem_broadcastmem(SHMEM_TEAM_WORLD, all, source, count * sizeof(Entry), 0);

    Matrix a = {.first_row = order * me / pes, .rows = order * (me + 1) / pes - order * me / pes};
    a.entry = must(malloc(count * sizeof(Entry)));
    for (size_t i = 0; i < count; i++)
        if ((size_t)all[i].row - a.first_row < a.rows) a.entry[a.count++] = all[i];
    a.whole = must(shmem_malloc(order * sizeof *a.whole));
    shmem_free(all);
    shmem_free(source);
    return a;
}

// Computes product = A * vector. Each PE has its part of both vectors.
static void multiply(const Matrix *a, const double *vector, double *product) {
    shmem_double_collect(SHMEM_TEAM_WORLD, a->whole, vector, a->rows);
    for (size_t row = 0; row < a->rows; row++) product[row] = 0;
    for (size_t i = 0; i < a->count; i++)
        product[(size_t)a->entry[i].row - a->first_row] += a->entry[i].value * a->whole[a->entry[i].column];
}

static double dot(const double *one, const double *other, size_t length) {
    my_sum = 0;
    for (size_t i = 0; i < length; i++) my_sum += one[i] * other[i];
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &sum, &my_sum, 1);
    return sum;
}

// Allocates a vector in symmetric memory, because `multiply` collects from it. All PEs allocate the size that the PE
// with the most rows needs.
static double *new_vector(void) {
    const size_t pes = (size_t)shmem_n_pes();
    return must(shmem_calloc(((size_t)size[0] + pes - 1) / pes, sizeof(double)));
}

// Solves A x = b, beginning with x = 0. Ends when the norm of the residual is at most `tolerance` times its first
// value, or after ten steps for each unknown. Returns the number of steps.
static int solve(const Matrix *a, const double *b, double *x, double tolerance) {
    double *residual = new_vector(), *direction = new_vector(), *product = new_vector();
    memcpy(residual, b, a->rows * sizeof *b);
    memcpy(direction, b, a->rows * sizeof *b);
    double square = dot(residual, residual, a->rows);
    const double enough = square * tolerance * tolerance;
    int steps = 0;
    while (square > enough && steps < 10 * (int)size[0]) {
        multiply(a, direction, product);
        const double curvature = dot(direction, product, a->rows);
        if (!(curvature > 0)) fail("the matrix", "is not positive definite");
        const double length = square / curvature;
        for (size_t i = 0; i < a->rows; i++) {
            x[i] += length * direction[i];
            residual[i] -= length * product[i];
        }
        const double before = square;
        square = dot(residual, residual, a->rows);
        for (size_t i = 0; i < a->rows; i++) direction[i] = residual[i] + square / before * direction[i];
        steps++;
    }
    shmem_free(product);
    shmem_free(direction);
    shmem_free(residual);
    return steps;
}

int main(int argc, char **argv) {
    shmem_init();
    const int me = shmem_my_pe();
    if (argc != 2) {
        if (me == 0) fprintf(stderr, "usage: oshrun -n PES cg MATRIX.mtx\n");
        shmem_finalize();
        return 1;
    }
    const Matrix a = distribute(argv[1]);
    double *ones = new_vector(), *b = new_vector(), *x = new_vector();
    for (size_t i = 0; i < a.rows; i++) ones[i] = 1;
    multiply(&a, ones, b);
    const int steps = solve(&a, b, x, 1e-12);
    my_sum = 0;
    for (size_t i = 0; i < a.rows; i++) my_sum = fmax(my_sum, fabs(x[i] - 1));
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &sum, &my_sum, 1);
    const int right = sum < 1e-8;
    if (me == 0)
        printf("cg: %lld unknowns, %lld entries, %d PEs: %d steps, largest error %.1e, %s\n", (long long)size[0],
               (long long)size[1], shmem_n_pes(), steps, sum, right ? "right" : "WRONG");
    free(a.entry);
    shmem_finalize();
    return right ? 0 : 1;
}
