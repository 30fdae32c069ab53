// SPDX-License-Identifier: BSD-3-Clause
// parallel for in one directive, with every schedule.
#include "test.h"

#define PRAGMA(...) PRAGMA_TEXT(__VA_ARGS__)
#define PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)
#define LOOP(name, clause)                                                                                             \
    static void loop_##name(long count, long chunk) {                                                                  \
        long sum = 0, iterations = 0;                                                                                  \
        (void)chunk;                                                                                                   \
        PRAGMA(omp parallel for clause reduction(+ : sum, iterations))                                                 \
        for (long i = 0; i < count; i++) {                                                                             \
            sum += i;                                                                                                  \
            iterations++;                                                                                              \
        }                                                                                                              \
        REQUIRE(iterations == count && sum == count * (count - 1) / 2, #name ", %ld by %ld: %ld iterations, sum %ld",  \
                count, chunk, iterations, sum);                                                                        \
    }
#define LOOPS(X)                                                                                                       \
    X(plain, )                                                                                                         \
    X(static_chunk, schedule(static, chunk))                                                                           \
    X(dynamic, schedule(dynamic, chunk))                                                                               \
    X(dynamic_monotonic, schedule(monotonic : dynamic, chunk))                                                         \
    X(guided, schedule(guided, chunk))                                                                                 \
    X(guided_monotonic, schedule(monotonic : guided, chunk))                                                           \
    X(automatic, schedule(auto))                                                                                       \
    X(runtime, schedule(runtime))                                                                                      \
    X(runtime_monotonic, schedule(monotonic : runtime))                                                                \
    X(runtime_nonmonotonic, schedule(nonmonotonic : runtime)) X(if_clause, schedule(dynamic) if (count > 10))
LOOPS(LOOP)

int main(void) {
    for (long count = 0; count < 300; count = count * 3 / 2 + 1)
        for (long chunk = 1; chunk < 100; chunk *= 5) {
#define RUN(name, clause) loop_##name(count, chunk);
            LOOPS(RUN)
        }
    return 0;
}
