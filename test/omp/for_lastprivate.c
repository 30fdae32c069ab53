// SPDX-License-Identifier: BSD-3-Clause
// lastprivate, firstprivate, linear and conditional lastprivate: the value after the loop is the sequentially last one.
// After a loop without iterations GCC 12 has every thread write a linear variable.
// skip: tsan
#include "test.h"

#define PRAGMA(...) PRAGMA_TEXT(__VA_ARGS__)
#define PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)

#define LOOP(name, clause)                                                                                             \
    static void loop_##name(int count) {                                                                               \
        int last = -7, both = 1000, step = 50, conditional = -3;                                                       \
        struct {                                                                                                       \
            int values[40];                                                                                            \
        } large = {{0}};                                                                                               \
        PRAGMA(omp parallel for clause lastprivate(last, large) firstprivate(both) lastprivate(both) linear(step : 2)) \
        for (int i = 0; i < count; i++) {                                                                              \
            REQUIRE(step == 50 + 2 * i, #name ": linear is %d in iteration %d", step, i);                              \
            REQUIRE(both >= 1000, #name ": firstprivate began as %d", both);                                           \
            last = i;                                                                                                  \
            both = 1000 + i;                                                                                           \
            large.values[39] = i;                                                                                      \
            step += 2;                                                                                                 \
        }                                                                                                              \
        if (count > 0)                                                                                                 \
            REQUIRE(last == count - 1 && both == 999 + count && large.values[39] == last && step == 50 + 2 * count,    \
                    #name ", %d: last %d, both %d, step %d", count, last, both, step);                                 \
        PRAGMA(omp parallel for clause lastprivate(conditional : conditional))                                         \
        for (int i = 0; i < count; i++)                                                                                \
            if (i % 7 == 3) conditional = i;                                                                           \
        int right = count <= 3 ? -3 : (count - 4) / 7 * 7 + 3;                                                         \
        REQUIRE(conditional == right, #name ", %d: conditional %d, not %d", count, conditional, right);                \
        PRAGMA(omp parallel) {                                                                                         \
            PRAGMA(omp for clause lastprivate(conditional : conditional))                                              \
            for (long i = 0; i < count; i++)                                                                           \
                if (i % 7 == 3) conditional = (int)i;                                                                  \
        }                                                                                                              \
        REQUIRE(conditional == right, #name ", %d: conditional %d, not %d, in a region", count, conditional, right);   \
    }
#define LOOPS(X)                                                                                                       \
    X(plain, )                                                                                                         \
    X(static_three, schedule(static, 3))                                                                               \
    X(dynamic, schedule(dynamic))                                                                                      \
    X(dynamic_five, schedule(dynamic, 5))                                                                              \
    X(guided, schedule(guided)) X(runtime, schedule(runtime)) X(monotonic, schedule(monotonic : dynamic))
LOOPS(LOOP)

#define RUN(name, clause)                                                                                              \
    for (int count = 0; count < 200; count = 2 * count + 3) loop_##name(count);

int main(void) {
    LOOPS(RUN)
    return 0;
}
