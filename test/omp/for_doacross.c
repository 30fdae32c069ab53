// SPDX-License-Identifier: BSD-3-Clause
// depend(source) and depend(sink) in loops of one to three dimensions: an iteration runs past its sinks only when they are
// done, with every schedule, signed and unsigned, up and down.
#include "test.h"

#define PRAGMA(...) PRAGMA_TEXT(__VA_ARGS__)
#define PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)
#define N 60
#define ROWS 12
#define COLUMNS 14
#define LAYERS 5

// Where a loop begins. (GCC 12 waits for iterations before an unsigned loop's first if that is 0.)
#define BASE_long 0
#define BASE_int 0
#define BASE_ull (ULLONG_MAX / 2 - 3)

static int line[N];
static int square[ROWS][COLUMNS];
static int cube[ROWS][COLUMNS][LAYERS];

#define ONE(name, type, base, clause)                                                                                  \
    static void one_##name(void) {                                                                                     \
        memset(line, 0, sizeof line);                                                                                  \
        PRAGMA(omp parallel for clause ordered(1))                                                                     \
        for (type x = base; x < base + N; x++) {                                                                       \
            long i = (long)(x - base);                                                                                 \
            if (i % 7 == 0) sched_yield();                                                                             \
            PRAGMA(omp ordered depend(sink : x - 1) depend(sink : x - 3))                                              \
            if (i >= 1) REQUIRE(line[i - 1] == 1, #name ": %ld before %ld", (long)i, (long)i - 1);                     \
            if (i >= 3) REQUIRE(line[i - 3] == 1, #name ": %ld before %ld", (long)i, (long)i - 3);                     \
            line[i]++;                                                                                                 \
            PRAGMA(omp ordered depend(source))                                                                         \
        }                                                                                                              \
        for (int i = 0; i < N; i++) REQUIRE(line[i] == 1, #name ": %d ran %d times", i, line[i]);                      \
    }
#define TWO(name, type, base, clause)                                                                                  \
    static void two_##name(void) {                                                                                     \
        memset(square, 0, sizeof square);                                                                              \
        PRAGMA(omp parallel) {                                                                                         \
            PRAGMA(omp for clause ordered(2) nowait)                                                                   \
            for (type x = base; x < base + ROWS; x++)                                                                  \
                for (type y = base; y < base + COLUMNS; y++) {                                                         \
                    long i = (long)(x - base), j = (long)(y - base);                                                   \
                    PRAGMA(omp ordered depend(sink : x - 1, y) depend(sink : x, y - 1) depend(sink : x - 1, y + 1))    \
                    if (i > 0) REQUIRE(square[i - 1][j] == 1, #name ": %ld %ld early", (long)i, (long)j);              \
                    if (j > 0) REQUIRE(square[i][j - 1] == 1, #name ": %ld %ld early", (long)i, (long)j);              \
                    if (i > 0 && j < COLUMNS - 1)                                                                      \
                        REQUIRE(square[i - 1][j + 1] == 1, #name ": %ld %ld early", (long)i, (long)j);                 \
                    square[i][j]++;                                                                                    \
                    PRAGMA(omp ordered depend(source))                                                                 \
                }                                                                                                      \
        }                                                                                                              \
        for (int i = 0; i < ROWS; i++)                                                                                 \
            for (int j = 0; j < COLUMNS; j++) REQUIRE(square[i][j] == 1, #name ": %d %d", i, j);                       \
    }
#define THREE(name, type, base, clause)                                                                                \
    static void three_##name(void) {                                                                                   \
        memset(cube, 0, sizeof cube);                                                                                  \
        PRAGMA(omp parallel for collapse(2) clause ordered(3))                                                         \
        for (type x = base; x < base + ROWS; x++)                                                                      \
            for (type y = base; y < base + COLUMNS; y++)                                                               \
                for (type z = base; z < base + LAYERS; z++) {                                                          \
                    long i = (long)(x - base), j = (long)(y - base), k = (long)(z - base);                             \
                    PRAGMA(omp ordered depend(sink                                                                     \
                                              : x - 1, y, z) depend(sink                                               \
                                                                    : x, y - 2, z) depend(sink                         \
                                                                                          : x, y, z - 1))              \
                    if (i > 0)                                                                                         \
                        REQUIRE(cube[i - 1][j][k] == 1, #name ": %ld %ld %ld early", (long)i, (long)j, (long)k);       \
                    if (j > 1)                                                                                         \
                        REQUIRE(cube[i][j - 2][k] == 1, #name ": %ld %ld %ld early", (long)i, (long)j, (long)k);       \
                    if (k > 0)                                                                                         \
                        REQUIRE(cube[i][j][k - 1] == 1, #name ": %ld %ld %ld early", (long)i, (long)j, (long)k);       \
                    cube[i][j][k]++;                                                                                   \
                    PRAGMA(omp ordered depend(source))                                                                 \
                }                                                                                                      \
        for (int i = 0; i < ROWS; i++)                                                                                 \
            for (int j = 0; j < COLUMNS; j++)                                                                          \
                for (int k = 0; k < LAYERS; k++) REQUIRE(cube[i][j][k] == 1, #name ": %d %d %d", i, j, k);             \
    }
#define SCHEDULES(X, type, sign)                                                                                       \
    X(plain_##sign, type, BASE_##sign, )                                                                               \
    X(static_##sign, type, BASE_##sign, schedule(static, 2))                                                           \
    X(dynamic_##sign, type, BASE_##sign, schedule(dynamic))                                                            \
    X(dynamic_chunk_##sign, type, BASE_##sign, schedule(dynamic, 3))                                                   \
    X(guided_##sign, type, BASE_##sign, schedule(guided, 2))                                                           \
    X(runtime_##sign, type, BASE_##sign, schedule(runtime))                                                            \
    X(automatic_##sign, type, BASE_##sign, schedule(auto))
SCHEDULES(ONE, long, long)
SCHEDULES(ONE, unsigned long long, ull)
SCHEDULES(TWO, int, int)
SCHEDULES(TWO, unsigned long long, ull)
SCHEDULES(THREE, long, long)
SCHEDULES(THREE, unsigned long long, ull)

static void down(void) {
    memset(line, 0, sizeof line);
#pragma omp parallel for schedule(dynamic, 2) ordered(1)
    for (int i = N - 1; i >= 0; i--) {
#pragma omp ordered depend(sink : i + 2)
        if (i + 2 < N) REQUIRE(line[i + 2] == 1, "down: %d before %d", i, i + 2);
        line[i] = 1;
#pragma omp ordered depend(source)
    }
}

#define RUN_ONE(name, type, base, clause) one_##name();
#define RUN_TWO(name, type, base, clause) two_##name();
#define RUN_THREE(name, type, base, clause) three_##name();

int main(void) {
    SCHEDULES(RUN_ONE, long, long)
    SCHEDULES(RUN_ONE, unsigned long long, ull)
    SCHEDULES(RUN_TWO, int, int)
    SCHEDULES(RUN_TWO, unsigned long long, ull)
    SCHEDULES(RUN_THREE, long, long)
    SCHEDULES(RUN_THREE, unsigned long long, ull)
    down();
    return 0;
}
