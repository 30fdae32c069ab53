// SPDX-License-Identifier: BSD-3-Clause
// Every loop entry point called by hand, signed and unsigned: start, next, end, and what ordered and the combined ones add.
// What GCC 12 emits itself is among them: here the bounds are not those that it would choose.
#include "test.h"
#include "gomp.h"

#define MOST 300

static int runs[MOST], in_order;
static long begin, end, step, chunk;
static ull unsigned_begin, unsigned_end, unsigned_step;
static long count;
static bool ordered;

static void all_once(const char *what) {
    for (long i = 0; i < MOST; i++)
        REQUIRE(runs[i] == (i < count), "%s from %ld to %ld by %ld: iteration %ld of %ld ran %d times", what, begin,
                end, step, i, count, runs[i]);
    if (ordered) REQUIRE(in_order == count, "%s: %d of %ld in order", what, in_order, count);
    memset(runs, 0, sizeof runs);
    in_order = 0;
}

static void iteration(long i) {
    REQUIRE(i >= 0 && i < count, "iteration %ld of %ld", i, count);
    test_add(&runs[i], 1);
    if (!ordered) return;
    GOMP_ordered_start();
    REQUIRE(in_order == i, "iteration %ld where %d should be", i, in_order);
    in_order++;
    GOMP_ordered_end();
}

static void piece(long from, long to) {
    REQUIRE(step > 0 ? from < to : from > to, "an empty chunk from %ld to %ld", from, to);
    for (long i = from; step > 0 ? i < to : i > to; i += step) iteration((i - begin) / step);
}

static void unsigned_piece(ull from, ull to) {
    bool up = (long)unsigned_step > 0;
    for (ull i = from; up ? i < to : i > to; i += unsigned_step)
        iteration(up ? (long)((i - unsigned_begin) / unsigned_step)
                     : (long)((unsigned_begin - i) / (0 - unsigned_step)));
}

typedef bool next_function(long *, long *);
typedef bool unsigned_next_function(ull *, ull *);

static void pieces(bool more, long from, long to, next_function *next) {
    for (; more; more = next(&from, &to)) piece(from, to);
}

static void unsigned_pieces(bool more, ull from, ull to, unsigned_next_function *next) {
    for (; more; more = next(&from, &to)) unsigned_piece(from, to);
}

static bool is_ordered(const char *name) {
    return strncmp(name, "ordered", 7) == 0;
}

#define LOOP_C(name)                                                                                                   \
    static void loop_##name(void *nothing) {                                                                           \
        (void)nothing;                                                                                                 \
        long from = 0, to = 0;                                                                                         \
        bool more = GOMP_loop_##name##_start(begin, end, step, chunk, &from, &to);                                     \
        pieces(more, from, to, GOMP_loop_##name##_next);                                                               \
        GOMP_loop_end();                                                                                               \
    }                                                                                                                  \
    static void loop_ull_##name(void *nothing) {                                                                       \
        (void)nothing;                                                                                                 \
        ull from = 0, to = 0;                                                                                          \
        bool more = GOMP_loop_ull_##name##_start(step > 0, unsigned_begin, unsigned_end, unsigned_step, (ull)chunk,    \
                                                 &from, &to);                                                          \
        unsigned_pieces(more, from, to, GOMP_loop_ull_##name##_next);                                                  \
        GOMP_loop_end_nowait();                                                                                        \
        GOMP_barrier();                                                                                                \
    }
#define LOOP_R(name)                                                                                                   \
    static void loop_##name(void *nothing) {                                                                           \
        (void)nothing;                                                                                                 \
        long from = 0, to = 0;                                                                                         \
        bool more = GOMP_loop_##name##_start(begin, end, step, &from, &to);                                            \
        pieces(more, from, to, GOMP_loop_##name##_next);                                                               \
        GOMP_loop_end();                                                                                               \
    }                                                                                                                  \
    static void loop_ull_##name(void *nothing) {                                                                       \
        (void)nothing;                                                                                                 \
        ull from = 0, to = 0;                                                                                          \
        bool more = GOMP_loop_ull_##name##_start(step > 0, unsigned_begin, unsigned_end, unsigned_step, &from, &to);   \
        unsigned_pieces(more, from, to, GOMP_loop_ull_##name##_next);                                                  \
        GOMP_loop_end_nowait();                                                                                        \
        GOMP_barrier();                                                                                                \
    }
GOMP_SCHEDULES(LOOP_C)
GOMP_SCHEDULES_NONMONOTONIC(LOOP_C)
GOMP_SCHEDULES_RUNTIME(LOOP_R)

static void run(const char *name, gomp_function *function) {
    ordered = is_ordered(name);
    GOMP_parallel(function, NULL, 0, 0);
    all_once(name);
}

static void separate(void) {
#define RUN(name)                                                                                                      \
    run(#name, loop_##name);                                                                                           \
    run(#name, loop_ull_##name);
    GOMP_SCHEDULES(RUN)
    GOMP_SCHEDULES_NONMONOTONIC(RUN)
    GOMP_SCHEDULES_RUNTIME(RUN)
}

// -- parallel and loop in one: the function asks for the next chunk at once --------------------------------------------

#define COMBINED(name)                                                                                                 \
    static void combined_##name(void *nothing) {                                                                       \
        (void)nothing;                                                                                                 \
        long from, to;                                                                                                 \
        while (GOMP_loop_##name##_next(&from, &to)) piece(from, to);                                                   \
        GOMP_loop_end_nowait();                                                                                        \
    }
GOMP_PARALLEL_LOOPS(COMBINED)
GOMP_PARALLEL_LOOPS_RUNTIME(COMBINED)

static void combined(void) {
    ordered = false;
#define RUN_COMBINED(name)                                                                                             \
    GOMP_parallel_loop_##name(combined_##name, NULL, 0, begin, end, step, chunk, 0);                                   \
    all_once("parallel " #name);
#define RUN_COMBINED_RUNTIME(name)                                                                                     \
    GOMP_parallel_loop_##name(combined_##name, NULL, 0, begin, end, step, 0);                                          \
    all_once("parallel " #name);
#define RUN_STARTED(name, ...)                                                                                         \
    GOMP_parallel_loop_##name##_start(combined_##name, NULL, 0, begin, end, step, ##__VA_ARGS__);                      \
    combined_##name(NULL);                                                                                             \
    GOMP_parallel_end();                                                                                               \
    all_once("parallel start " #name);
    GOMP_PARALLEL_LOOPS(RUN_COMBINED)
    GOMP_PARALLEL_LOOPS_RUNTIME(RUN_COMBINED_RUNTIME)
    RUN_STARTED(static, chunk)
    RUN_STARTED(dynamic, chunk)
    RUN_STARTED(guided, chunk)
    RUN_STARTED(runtime)
}

static void with(long first, long past, long by, long of) {
    begin = first;
    end = past;
    step = by;
    chunk = of;
    count = by > 0 ? (past - first + by - 1) / by : (first - past - by - 1) / -by;
    if (count < 0) count = 0;
    unsigned_begin = ULLONG_MAX / 2 + (ull)first; // across the middle, where signed numbers end
    unsigned_end = ULLONG_MAX / 2 + (ull)past;
    unsigned_step = (ull)by;
    separate();
    combined();
}

int main(void) {
    static const long chunks[] = {1, 3, 50};
    for (size_t i = 0; i < TEST_COUNT(chunks); i++) {
        with(0, 100, 1, chunks[i]);
        with(-50, 51, 7, chunks[i]);
        with(100, -100, -1, chunks[i]);
        with(20, -21, -6, chunks[i]);
        with(0, 1, 1, chunks[i]);
        with(5, 5, 1, chunks[i]);
    }
    return 0;
}
