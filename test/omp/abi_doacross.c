// SPDX-License-Identifier: BSD-3-Clause
// doacross loops by their entry points, in two dimensions of which the second is the thread's own; signed and unsigned.
#include "test.h"
#include "gomp.h"

#define ROWS 20L
#define COLUMNS 6L

static int done[ROWS][COLUMNS];

static void row(long i) {
    for (long j = 0; j < COLUMNS; j++) {
        long place[2] = {i, j};
        if (i > 0 && j + 1 < COLUMNS) GOMP_doacross_wait(i - 1, j + 1);
        if (i > 0) GOMP_doacross_wait(i - 1, j);
        if (i > 0) REQUIRE(test_get(&done[i - 1][j]) == 1, "%ld %ld too early", i, j);
        if (i > 0 && j + 1 < COLUMNS) REQUIRE(done[i - 1][j + 1] == 1, "%ld %ld too early", i, j);
        if (i % 5 == 0) sched_yield();
        done[i][j]++;
        GOMP_doacross_post(place);
    }
}

static void unsigned_row(ull i) {
    for (ull j = 0; j < COLUMNS; j++) {
        ull place[2] = {i, j};
        if (i > 0 && j + 1 < COLUMNS) GOMP_doacross_ull_wait(i - 1, j + 1);
        if (i > 0) GOMP_doacross_ull_wait(i - 1, j);
        if (i > 0) REQUIRE(test_get(&done[i - 1][j]) == 1, "unsigned: %llu %llu too early", i, j);
        done[i][j]++;
        GOMP_doacross_ull_post(place);
    }
}

static long chunk;
static ull unsigned_chunk;
static long counts[2] = {ROWS, COLUMNS};
static ull unsigned_counts[2] = {ROWS, COLUMNS};

#define BODY(name, start, unsigned_start, next)                                                                        \
    static void name(void *nothing) {                                                                                  \
        (void)nothing;                                                                                                 \
        long from, to;                                                                                                 \
        bool more = start;                                                                                             \
        for (; more; more = GOMP_loop_##next##_next(&from, &to))                                                       \
            for (long i = from; i < to; i++) row(i);                                                                   \
        GOMP_loop_end();                                                                                               \
    }                                                                                                                  \
    static void unsigned_##name(void *nothing) {                                                                       \
        (void)nothing;                                                                                                 \
        ull from, to;                                                                                                  \
        bool more = unsigned_start;                                                                                    \
        for (; more; more = GOMP_loop_ull_##next##_next(&from, &to))                                                   \
            for (ull i = from; i < to; i++) unsigned_row(i);                                                           \
        GOMP_loop_end();                                                                                               \
    }
#define USUAL(name)                                                                                                    \
    BODY(by_##name, GOMP_loop_doacross_##name##_start(2, counts, chunk, &from, &to),                                   \
         GOMP_loop_ull_doacross_##name##_start(2, unsigned_counts, unsigned_chunk, &from, &to), name)
GOMP_DOACROSS(USUAL)
BODY(by_runtime, GOMP_loop_doacross_runtime_start(2, counts, &from, &to),
     GOMP_loop_ull_doacross_runtime_start(2, unsigned_counts, &from, &to), runtime)
BODY(by_number, GOMP_loop_doacross_start(2, counts, 2, chunk, &from, &to, NULL, NULL),
     GOMP_loop_ull_doacross_start(2, unsigned_counts, 2, unsigned_chunk, &from, &to, NULL, NULL), dynamic)

static void run(const char *name, gomp_function *function) {
    memset(done, 0, sizeof done);
    GOMP_parallel(function, NULL, 0, 0);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) REQUIRE(done[i][j] == 1, "%s: %d %d ran %d times", name, i, j, done[i][j]);
}

#define RUN(name)                                                                                                      \
    run(#name, by_##name);                                                                                             \
    run("unsigned " #name, unsigned_by_##name);

int main(void) {
    for (chunk = 1; chunk < 20; chunk = 5 * chunk + 1) {
        unsigned_chunk = (ull)chunk;
        GOMP_DOACROSS(RUN)
        RUN(runtime)
        RUN(number)
    }
    return 0;
}
