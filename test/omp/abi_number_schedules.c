// SPDX-License-Identifier: BSD-3-Clause
// GOMP_loop_start and its kin, which take the schedule as a number and give the construct memory that all threads share and
// that begins as zeros.
#include "test.h"
#include "gomp.h"

#define COUNT 97
#define MONOTONIC LONG_MIN // the sign bit

static int runs[COUNT], in_order;
static long schedule, chunk;
static bool ordered;

struct shared {
    int added[20];
};

static void iteration(long i) {
    test_add(&runs[i], 1);
    if (!ordered) return;
    GOMP_ordered_start();
    REQUIRE(in_order == i, "iteration %ld where %d should be", i, in_order);
    in_order++;
    GOMP_ordered_end();
}

typedef bool next_function(long *, long *);
typedef bool unsigned_next_function(ull *, ull *);

// The next function that belongs to a schedule.
static next_function *next_of(void) {
    switch (schedule & ~MONOTONIC) {
    case 0: return ordered ? GOMP_loop_ordered_runtime_next : GOMP_loop_runtime_next;
    case 1: return ordered ? GOMP_loop_ordered_static_next : GOMP_loop_static_next;
    case 2: return ordered ? GOMP_loop_ordered_dynamic_next : GOMP_loop_dynamic_next;
    default: return ordered ? GOMP_loop_ordered_guided_next : GOMP_loop_guided_next;
    }
}

static unsigned_next_function *unsigned_next_of(void) {
    switch (schedule & ~MONOTONIC) {
    case 0: return ordered ? GOMP_loop_ull_ordered_runtime_next : GOMP_loop_ull_runtime_next;
    case 1: return ordered ? GOMP_loop_ull_ordered_static_next : GOMP_loop_ull_static_next;
    case 2: return ordered ? GOMP_loop_ull_ordered_dynamic_next : GOMP_loop_ull_dynamic_next;
    default: return ordered ? GOMP_loop_ull_ordered_guided_next : GOMP_loop_ull_guided_next;
    }
}

static void use(void *memory, int iterations) {
    struct shared *shared = memory;
    REQUIRE((uintptr_t)shared % sizeof(long) == 0, "memory that is not aligned");
    for (size_t i = 0; i < TEST_COUNT(shared->added); i++) test_add(&shared->added[i], iterations);
    GOMP_barrier();
    for (size_t i = 0; i < TEST_COUNT(shared->added); i++)
        REQUIRE(test_get(&shared->added[i]) == COUNT, "the memory has %d", test_get(&shared->added[i]));
}

static void body(void *nothing) {
    (void)nothing;
    void *memory = (void *)sizeof(struct shared); // its size comes in where its address goes out
    long from, to;
    int iterations = 0;
    bool more =
        (ordered ? GOMP_loop_ordered_start : GOMP_loop_start)(0, COUNT, 1, schedule, chunk, &from, &to, NULL, &memory);
    for (; more; more = next_of()(&from, &to))
        for (long i = from; i < to; i++, iterations++) iteration(i);
    use(memory, iterations);
    GOMP_loop_end();
}

static void unsigned_body(void *nothing) {
    (void)nothing;
    void *memory = (void *)sizeof(struct shared);
    ull from, to;
    int iterations = 0;
    bool more = (ordered ? GOMP_loop_ull_ordered_start : GOMP_loop_ull_start)(
        true, ULLONG_MAX - COUNT, ULLONG_MAX, 1, schedule, (ull)chunk, &from, &to, NULL, &memory);
    for (; more; more = unsigned_next_of()(&from, &to))
        for (ull i = from; i < to; i++, iterations++) iteration((long)(i - (ULLONG_MAX - COUNT)));
    use(memory, iterations);
    GOMP_loop_end();
}

static void run(gomp_function *function) {
    memset(runs, 0, sizeof runs);
    in_order = 0;
    GOMP_parallel(function, NULL, 0, 0);
    for (int i = 0; i < COUNT; i++) REQUIRE(runs[i] == 1, "schedule %lx: %d ran %d times", schedule, i, runs[i]);
}

int main(void) {
    for (int kind = 0; kind <= 3; kind++)
        for (int monotonic = 0; monotonic <= 1; monotonic++)
            for (int is_ordered = 0; is_ordered <= 1; is_ordered++)
                for (chunk = 1; chunk < 200; chunk = chunk * 7 + 1) {
                    schedule = kind | (monotonic ? MONOTONIC : 0);
                    ordered = is_ordered != 0;
                    run(body);
                    run(unsigned_body);
                }
    return 0;
}
