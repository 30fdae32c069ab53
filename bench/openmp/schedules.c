// SPDX-License-Identifier: BSD-3-Clause
// Measures the cost of a loop with 128 pieces of work for each thread under each schedule, after EPCC's schedbench. The
// parameter is the chunk size in pieces; 0 means the default of the schedule.
#include "measure.h"

enum { pieces = 128 };

static long chunk;

#define TEST(NAME, ...)                                                                                                \
    static void test_##NAME(long count) {                                                                              \
        const long all = (long)pieces * threads;                                                                       \
        _Pragma("omp parallel") for (long i = 0; i < count; i++) {                                                     \
            _Pragma(#__VA_ARGS__) for (long k = 0; k < all; k++) do_work();                                            \
        }                                                                                                              \
    }
TEST(static, omp for schedule(static))
TEST(static_chunk, omp for schedule(static, chunk))
TEST(dynamic, omp for schedule(dynamic, chunk))
TEST(guided, omp for schedule(guided, chunk))

static void measure_chunks(const char *name, void (*test)(long)) {
    for (chunk = 1; chunk <= pieces; chunk *= 4)
        measure((struct measurement){.name = name, .parameter = chunk, .test = test, .works = pieces});
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    measure((struct measurement){.name = "static", .test = test_static, .works = pieces});
    measure_chunks("static", test_static_chunk);
    measure_chunks("dynamic", test_dynamic);
    measure_chunks("guided", test_guided);
    return 0;
}
