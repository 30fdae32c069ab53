// SPDX-License-Identifier: BSD-3-Clause
// A Fourier transform in two dimensions. Each PE has some rows of a matrix. It transforms them, panel by panel, and puts each
// panel transposed into the memory of all PEs, as blocks in two dimensions. While these puts are under way it transforms the
// next panel. Then each PE has whole columns of the matrix as rows, and transforms them.
//     fft2d_aos [SIDE]: the side of the matrix is a power of 2, at least the number of PEs and at most 64
#include <aos.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#define PARALLEL_FOR _Pragma("omp parallel for")
#else
#define PARALLEL_FOR
#endif

enum { most = 64, most_pes = 64, panel_rows = 8, part_id = 1, totals_id = most_pes + 1 };
typedef struct {
    float re, im;
} number;

static int side, pes, me;
static number factors[most / 2]; // powers of the root of unity

// A PE's part: its columns of the result, each of which is a line of `lines`, and how many panels have arrived in it.
static struct {
    int64_t panels;
    number lines[most * most];
} part;
static int64_t done; // of PE 0: PEs whose part is complete

static number rows[most * most];
static number plain[most * most];           // of PE 0, to check
static number stages[2][panel_rows * most]; // transposed panels, whose puts are under way in turn
static aos_segment_t parts[most_pes];

static void must(int outcome, const char *what) {
    if (outcome == AOS_SUCCESS) return;
    fprintf(stderr, "fft2d_aos: PE %d: %s: %s\n", aos_my_pe(), what, aos_error_text(outcome));
    exit(1);
}

static number element(int row, int column) {
    unsigned bits = (unsigned)(row * most + column) * 2654435761U;
    return (number){(float)(bits >> 20) / 4096, (float)(bits >> 8 & 0xfff) / 4096};
}

static number product(number a, number b) {
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static number sum(number a, number b) {
    return (number){a.re + b.re, a.im + b.im};
}

static number difference(number a, number b) {
    return (number){a.re - b.re, a.im - b.im};
}

// Transforms `side` numbers in place (Cooley and Tukey 1965).
static void transform(number *line) {
    for (int i = 1, j = 0; i < side; i++) {
        int bit = side >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            number other = line[i];
            line[i] = line[j], line[j] = other;
        }
    }
    for (int half = 1, step = side / 2; half < side; half *= 2, step /= 2)
        for (int first = 0; first < side; first += 2 * half)
            for (int k = 0; k < half; k++) {
                number *low = &line[first + k], *high = low + half, turned = product(*high, factors[k * step]);
                *high = difference(*low, turned);
                *low = sum(*low, turned);
            }
}

static void transform_rows(number *first, int count) {
    PARALLEL_FOR
    for (int row = 0; row < count; row++) transform(first + row * side);
}

static void transpose(number *to, const number *from, int count) {
    PARALLEL_FOR
    for (int column = 0; column < side; column++)
        for (int row = 0; row < count; row++) to[column * count + row] = from[row * side + column];
}

static int first_of(int pe) {
    return pe * side / pes;
}

// Puts `count` rows from row `first` on, which are transposed in `stage`, into the parts of all PEs. Each PE begins with
// another one, so that they do not all send to the same.
static void send(const number *stage, int first, int count, aos_event_t *events) {
    aos_point2d_t from = {.xpos = 0, .ypos = 0, .xdim = count, .ydim = side};
    for (int i = 0; i < pes; i++) {
        int pe = (me + i) % pes, width = first_of(pe + 1) - first_of(pe);
        aos_point2d_t to = {.xpos = first, .ypos = 0, .xdim = side, .ydim = width};
        from.ypos = first_of(pe);
        must(aos_put_block2d(stage, &from, &parts[pe], offsetof(__typeof__(part), lines), &to, sizeof(number), count,
                             width, &events[pe]),
             "to put a panel");
        must(aos_postadd(&parts[pe], offsetof(__typeof__(part), panels), 1), "to tell of a panel");
    }
}

static int panels_of(int pe) {
    return (first_of(pe + 1) - first_of(pe) + panel_rows - 1) / panel_rows;
}

static void work(void) {
    static aos_event_t events[2][most_pes]; // of the puts from each stage; at first they have happened
    int own = first_of(me + 1) - first_of(me), at = 0, expected = 0;
    for (int row = 0; row < own; row += panel_rows, at = !at) {
        int count = own - row < panel_rows ? own - row : panel_rows;
        transform_rows(&rows[row * side], count);
        for (int pe = 0; pe < pes; pe++) must(aos_event_wait(&events[at][pe]), "to put a panel");
        transpose(stages[at], &rows[row * side], count);
        send(stages[at], first_of(me) + row, count, events[at]);
    }
    for (int pe = 0; pe < pes; pe++) {
        for (int stage = 0; stage < 2; stage++) must(aos_event_wait(&events[stage][pe]), "to put a panel");
        expected += panels_of(pe);
    }
    aos_event_t all;
    must(aos_event_set(&all, &part.panels, AOS_EQUAL, expected), "to wait for panels");
    must(aos_event_wait(&all), "to wait for panels");
    transform_rows(part.lines, own);
}

// Compares the result, which PE 0 gets from all PEs, with that of a plain program: every bit must agree. A few elements are
// also computed by the definition of the transform. Returns 1 if the result is right.
static int check(void) {
    number *turned = rows, *column = stages[0];
    int right = 1;
    for (int i = 0; i < side * side; i++) plain[i] = element(i / side, i % side);
    transform_rows(plain, side);
    transpose(turned, plain, side);
    transform_rows(turned, side);
    for (int pe = 0; pe < pes; pe++)
        for (int line = first_of(pe); line < first_of(pe + 1); line++) {
            must(aos_get(column, &parts[pe],
                         offsetof(__typeof__(part), lines) + (size_t)((line - first_of(pe)) * side) * sizeof(number),
                         (size_t)side * sizeof(number), NULL),
                 "to get a column");
            right &= memcmp(column, &turned[line * side], (size_t)side * sizeof(number)) == 0;
        }
    for (int k = 0; k < 3; k++) {
        int u = k * 5 % side, v = k * 3 % side;
        number all = {0, 0};
        for (int i = 0; i < side * side; i++) {
            int turns = (i / side * u + i % side * v) % side;
            number half = factors[turns % (side / 2)], none = {0, 0};
            all = sum(all, product(element(i / side, i % side), turns < side / 2 ? half : difference(none, half)));
        }
        number wrong = difference(all, turned[v * side + u]);
        right &= hypotf(wrong.re, wrong.im) < 1e-4F * (float)(side * side);
    }
    return right;
}

int main(int argument_count, char **arguments) {
    must(aos_init(0), "aos_init");
    me = aos_my_pe(), pes = aos_pe_count();
    side = argument_count > 1 ? atoi(arguments[1]) : 64;
    if (side < 2 || side > most || (side & (side - 1)) != 0 || side < pes || pes > most_pes) {
        if (me == 0) {
            fprintf(stderr, "fft2d_aos: the side must be a power of 2, from %d to %d\n", pes < 2 ? 2 : pes, most);
            exit(2);
        }
        must(aos_finalize(), "aos_finalize"); // waits until PE 0 has ended the job
        return 2;
    }
    for (int k = 0; k < side / 2; k++) {
        float angle = -6.2831853F * (float)k / (float)side;
        factors[k] = (number){cosf(angle), sinf(angle)};
    }
    for (int row = first_of(me); row < first_of(me + 1); row++)
        for (int column = 0; column < side; column++) rows[(row - first_of(me)) * side + column] = element(row, column);
    aos_segment_t own, totals;
    must(aos_segment_create(&own, (uint64_t)(part_id + me), &part, sizeof part, NULL), "the own part");
    if (me == 0) must(aos_segment_create(&totals, totals_id, &done, sizeof done, NULL), "the totals");
    else must(aos_segment_clone(&totals, totals_id, 0), "the totals");
    for (int pe = 0; pe < pes; pe++) must(aos_segment_clone(&parts[pe], (uint64_t)(part_id + pe), 0), "a part");
    work();
    must(aos_postadd(&totals, 0, 1), "to tell");
    int wrong = 0;
    if (me == 0) {
        aos_event_t all;
        must(aos_event_set(&all, &done, AOS_EQUAL, pes), "to wait");
        must(aos_event_wait(&all), "to wait");
        wrong = !check();
        printf("fft2d_aos: %d x %d numbers, %d PEs: %s\n", side, side, pes, wrong ? "WRONG" : "right");
    }
    must(aos_finalize(), "aos_finalize");
    return wrong;
}
