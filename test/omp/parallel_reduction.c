// SPDX-License-Identifier: BSD-3-Clause
// Reductions of all operators and types at the end of a region.
#include "test.h"

#include <complex.h>

static int threads;

// Each thread contributes its number + 1; the variable comes with a value of its own.
#define ARITHMETIC(type, name)                                                                                         \
    static void sums_##name(void) {                                                                                    \
        type sum = 3, product = 2, difference = 3;                                                                     \
        _Pragma("omp parallel reduction(+ : sum) reduction(* : product) reduction(- : difference)") {                  \
            type mine = (type)(omp_get_thread_num() + 1);                                                              \
            sum = (type)(sum + mine);                                                                                  \
            product = (type)(product * (mine == 1 ? 3 : 1));                                                           \
            difference = (type)(difference - 1);                                                                       \
        }                                                                                                              \
        type right = (type)(3 + threads * (threads + 1) / 2);                                                          \
        REQUIRE(sum == right, #type ": +");                                                                            \
        REQUIRE(product == 6, #type ": *");                                                                            \
        REQUIRE(difference == (type)(3 - threads), #type ": -");                                                       \
    }
#define ORDERED(type, name)                                                                                            \
    static void extremes_##name(void) {                                                                                \
        type least = 60, most = 1;                                                                                     \
        _Pragma("omp parallel reduction(min : least) reduction(max : most)") {                                         \
            type mine = (type)(omp_get_thread_num() + 20);                                                             \
            if (mine < least) least = mine;                                                                            \
            if (mine > most) most = mine;                                                                              \
        }                                                                                                              \
        REQUIRE(least == 20, #type ": min");                                                                           \
        REQUIRE(most == (type)(threads + 19), #type ": max");                                                          \
    }
#define LOGICAL(type, name)                                                                                            \
    static void logic_##name(void) {                                                                                   \
        for (int odd = -1; odd < threads; odd++) {                                                                     \
            type all = 1, any = 0;                                                                                     \
            _Pragma("omp parallel reduction(&& : all) reduction(|| : any)") {                                          \
                bool mine = omp_get_thread_num() == odd;                                                               \
                all = all && !mine;                                                                                    \
                any = any || mine;                                                                                     \
            }                                                                                                          \
            REQUIRE(all == (odd < 0), #type ": && with %d", odd);                                                      \
            REQUIRE(any == (odd >= 0), #type ": || with %d", odd);                                                     \
        }                                                                                                              \
    }
#define BITWISE(type, name)                                                                                            \
    static void bits_##name(void) {                                                                                    \
        type conjunction = (type) ~(type)0, disjunction = 0, exclusive = 1;                                            \
        _Pragma("omp parallel reduction(& : conjunction) reduction(| : disjunction) reduction(^ : exclusive)") {       \
            int bit = omp_get_thread_num() % 7;                                                                        \
            conjunction = (type)(conjunction & (type) ~(type)(1 << bit));                                              \
            disjunction = (type)(disjunction | (type)(1 << bit));                                                      \
            exclusive = (type)(exclusive ^ (type)(1 << bit));                                                          \
        }                                                                                                              \
        type bits = 0, odd = 1;                                                                                        \
        for (int i = 0; i < threads; i++) bits = (type)(bits | (type)(1 << i % 7));                                    \
        for (int i = 0; i < threads; i++) odd = (type)(odd ^ (type)(1 << i % 7));                                      \
        REQUIRE(conjunction == (type)~bits, #type ": &");                                                              \
        REQUIRE(disjunction == bits, #type ": |");                                                                     \
        REQUIRE(exclusive == odd, #type ": ^");                                                                        \
    }

#ifdef __SIZEOF_INT128__
#define INT128(X) X(__int128, int128)
#else // not every compiler has integers of 128 bits
#define INT128(X)
#endif
#define INTEGERS(X)                                                                                                    \
    X(char, char)                                                                                                      \
    X(signed char, schar)                                                                                              \
    X(unsigned char, uchar)                                                                                            \
    X(short, short)                                                                                                    \
    X(unsigned short, ushort)                                                                                          \
    X(int, int)                                                                                                        \
    X(unsigned, uint)                                                                                                  \
    X(long, long) X(unsigned long, ulong) X(long long, llong) X(unsigned long long, ullong) INT128(X)
#define FLOATS(X) X(float, float) X(double, double) X(long double, ldouble)
#define COMPLEX(X) X(float _Complex, cfloat) X(double _Complex, cdouble)

INTEGERS(ARITHMETIC)
FLOATS(ARITHMETIC)
COMPLEX(ARITHMETIC)
INTEGERS(ORDERED)
FLOATS(ORDERED)
INTEGERS(LOGICAL)
FLOATS(LOGICAL)
INTEGERS(BITWISE)

#define RUN_SUMS(type, name) sums_##name();
#define RUN_EXTREMES(type, name) extremes_##name();
#define RUN_LOGIC(type, name) logic_##name();
#define RUN_BITS(type, name) bits_##name();

static void array_section(void) {
    long values[50], *section = values + 10;
    for (int i = 0; i < 50; i++) values[i] = i;
#pragma omp parallel reduction(+ : section[:20])
    for (int i = 0; i < 20; i++) section[i] += omp_get_thread_num() + i;
    for (int i = 0; i < 50; i++) {
        long more = i < 10 || i >= 30 ? 0 : threads * (threads - 1L) / 2 + threads * (i - 10L);
        REQUIRE(values[i] == i + more, "section: element %d is %ld", i, values[i]);
    }
}

int main(void) {
    threads = omp_get_max_threads();
    INTEGERS(RUN_SUMS)
    FLOATS(RUN_SUMS)
    COMPLEX(RUN_SUMS)
    INTEGERS(RUN_EXTREMES)
    FLOATS(RUN_EXTREMES) INTEGERS(RUN_LOGIC) FLOATS(RUN_LOGIC) INTEGERS(RUN_BITS) array_section();
    return 0;
}
