// SPDX-License-Identifier: BSD-3-Clause
// Ordered regions run in the order of the iterations, with every schedule, also where some iterations have none.
#include "test.h"

#define PRAGMA(...) PRAGMA_TEXT(__VA_ARGS__)
#define PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)

#define LOOP(name, clause)                                                                                             \
    static void loop_##name(int count) {                                                                               \
        int next = 0, runs = 0;                                                                                        \
        PRAGMA(omp parallel for ordered clause reduction(+ : runs))                                                    \
        for (int i = 0; i < count; i++) {                                                                              \
            runs++;                                                                                                    \
            PRAGMA(omp ordered) {                                                                                      \
                REQUIRE(next == i, #name ", %d: %d where %d should be", count, i, next);                               \
                next = i + 1;                                                                                          \
            }                                                                                                          \
        }                                                                                                              \
        REQUIRE(runs == count && next == count, #name ", %d: %d iterations", count, runs);                             \
        int last = -1, in_order = 0;                                                                                   \
        PRAGMA(omp parallel) {                                                                                         \
            PRAGMA(omp for ordered clause)                                                                             \
            for (int i = 0; i < count; i++) {                                                                          \
                if (i % 3 == 1) continue;                                                                              \
                if (i % 5 == 0) sched_yield();                                                                         \
                PRAGMA(omp ordered) {                                                                                  \
                    REQUIRE(i > last, #name ", %d: %d after %d", count, i, last);                                      \
                    last = i;                                                                                          \
                    in_order++;                                                                                        \
                }                                                                                                      \
            }                                                                                                          \
            REQUIRE(in_order == count - (count + 1) / 3, #name ", %d: past the loop with %d", count, in_order);        \
        }                                                                                                              \
    }                                                                                                                  \
    static void unsigned_##name(unsigned long long count) {                                                            \
        unsigned long long next = ULLONG_MAX - 1;                                                                      \
        PRAGMA(omp parallel for ordered clause)                                                                        \
        for (unsigned long long i = ULLONG_MAX - 1; i > ULLONG_MAX - 1 - 3 * count; i -= 3) {                          \
            PRAGMA(omp ordered) {                                                                                      \
                REQUIRE(next == i, #name ", down: %llu where %llu should be", i, next);                                \
                next -= 3;                                                                                             \
            }                                                                                                          \
        }                                                                                                              \
        REQUIRE(next == ULLONG_MAX - 1 - 3 * count, #name ": %llu iterations", (ULLONG_MAX - 1 - next) / 3);           \
    }
#define LOOPS(X)                                                                                                       \
    X(plain, )                                                                                                         \
    X(static_one, schedule(static, 1))                                                                                 \
    X(static_five, schedule(static, 5))                                                                                \
    X(dynamic, schedule(dynamic))                                                                                      \
    X(dynamic_four, schedule(dynamic, 4))                                                                              \
    X(guided, schedule(guided))                                                                                        \
    X(guided_three, schedule(guided, 3))                                                                               \
    X(runtime, schedule(runtime)) X(automatic, schedule(auto)) X(monotonic, schedule(monotonic : dynamic, 2))
LOOPS(LOOP)

#define RUN(name, clause)                                                                                              \
    for (int count = 0; count < 300; count = 2 * count + 1) loop_##name(count);                                        \
    unsigned_##name(77);

int main(void) {
    LOOPS(RUN)
    return 0;
}
