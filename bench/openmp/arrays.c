// SPDX-License-Identifier: BSD-3-Clause
// Measures the cost of the clauses that give each thread a copy of an array, after EPCC's arraybench. The parameter is
// the length of the array in doubles.
#include "measure.h"

// Does a piece of work. The assembler statement keeps the compiler from removing the copy of the array, and from moving
// it out of the region.
static void use(double *array) {
    __asm__ volatile("" : : "r"(array) : "memory");
    do_work();
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define SIZES(F) F(1) F(81) F(6561)

#define TESTS(LENGTH)                                                                                                  \
    static double shared_##LENGTH[LENGTH], kept_##LENGTH[LENGTH];                                                      \
    PRAGMA(omp threadprivate(kept_##LENGTH)) static void private_##LENGTH(long count) {                                \
        double array[LENGTH];                                                                                          \
        for (long i = 0; i < count; i++) {                                                                             \
            _Pragma("omp parallel private(array)") use(array);                                                         \
        }                                                                                                              \
    }                                                                                                                  \
    static void firstprivate_##LENGTH(long count) {                                                                    \
        double array[LENGTH];                                                                                          \
        __builtin_memcpy(array, shared_##LENGTH, sizeof array);                                                        \
        for (long i = 0; i < count; i++) {                                                                             \
            _Pragma("omp parallel firstprivate(array)") use(array);                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    static void copyprivate_##LENGTH(long count) {                                                                     \
        double array[LENGTH];                                                                                          \
        _Pragma("omp parallel private(array)") for (long i = 0; i < count; i++) {                                      \
            _Pragma("omp single copyprivate(array)") use(array);                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static void copyin_##LENGTH(long count) {                                                                          \
        for (long i = 0; i < count; i++) {                                                                             \
            PRAGMA(omp parallel copyin(kept_##LENGTH)) use(kept_##LENGTH);                                             \
        }                                                                                                              \
    }
SIZES(TESTS)

#define MEASURE(LENGTH)                                                                                                \
    measure((struct measurement){.name = "private", .parameter = LENGTH, .test = private_##LENGTH, .works = 1});       \
    measure(                                                                                                           \
        (struct measurement){.name = "firstprivate", .parameter = LENGTH, .test = firstprivate_##LENGTH, .works = 1}); \
    measure(                                                                                                           \
        (struct measurement){.name = "copyprivate", .parameter = LENGTH, .test = copyprivate_##LENGTH, .works = 1});   \
    measure((struct measurement){.name = "copyin", .parameter = LENGTH, .test = copyin_##LENGTH, .works = 1});

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    SIZES(MEASURE)
    return 0;
}
