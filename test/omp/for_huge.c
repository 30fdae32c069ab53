// SPDX-License-Identifier: BSD-3-Clause
// Loops at the ends of what their type can hold: no next chunk may wrap round.
#include "test.h"

#define PRAGMA(...) PRAGMA_TEXT(__VA_ARGS__)
#define PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)

#define UP(type, clause, begin, end, step, wanted)                                                                     \
    do {                                                                                                               \
        long ran = 0;                                                                                                  \
        type last = 0;                                                                                                 \
        PRAGMA(omp parallel for clause reduction(+ : ran) lastprivate(last))                                           \
        for (type i = (begin); i < (end); i += (step)) {                                                               \
            REQUIRE(i >= (begin), #clause ": wrapped round");                                                          \
            last = i;                                                                                                  \
            ran++;                                                                                                     \
        }                                                                                                              \
        REQUIRE(ran == (wanted), #type " " #clause " " #begin ": %ld iterations", ran);                                \
        REQUIRE(last == (type)((begin) + (type)(step) * ((wanted)-1)), #type " " #clause ": another was last");        \
    } while (0)
#define DOWN(type, clause, begin, end, step, wanted)                                                                   \
    do {                                                                                                               \
        long ran = 0;                                                                                                  \
        PRAGMA(omp parallel for clause reduction(+ : ran))                                                             \
        for (type i = (begin); i > (end); i -= (step)) {                                                               \
            REQUIRE(i <= (begin), #clause ": wrapped round");                                                          \
            ran++;                                                                                                     \
        }                                                                                                              \
        REQUIRE(ran == (wanted), #type " " #clause " " #begin " down: %ld iterations", ran);                           \
    } while (0)
#define ALL(clause)                                                                                                    \
    UP(long, clause, LONG_MAX - 100, LONG_MAX, 1, 100);                                                                \
    UP(long, clause, LONG_MAX - 100, LONG_MAX - 5, 7, 14);                                                             \
    UP(long, clause, LONG_MIN, LONG_MIN + 50, 3, 17);                                                                  \
    UP(unsigned long long, clause, ULLONG_MAX - 100, ULLONG_MAX, 1, 100);                                              \
    UP(unsigned long long, clause, ULLONG_MAX - 100, ULLONG_MAX - 5, 7, 14);                                           \
    UP(unsigned long long, clause, LLONG_MAX - 10ULL, LLONG_MAX + 30ULL, 1, 40);                                       \
    DOWN(long, clause, LONG_MIN + 100, LONG_MIN, 1, 100);                                                              \
    DOWN(long, clause, LONG_MAX, LONG_MAX - 20, 3, 7);                                                                 \
    DOWN(unsigned long long, clause, 100ULL, 0ULL, 1, 100);                                                            \
    DOWN(unsigned long long, clause, ULLONG_MAX, ULLONG_MAX - 60, 4, 15);                                              \
    UP(int, clause, INT_MAX - 10, INT_MAX, 1, 10)

#define STRIDES(clause) UP(unsigned long long, clause, 1ULL, ULLONG_MAX - ULLONG_MAX / 8, ULLONG_MAX / 8, 8)

int main(void) {
    STRIDES();
    STRIDES(schedule(dynamic));
    STRIDES(schedule(guided));
    ALL();
    ALL(schedule(static, 5));
    ALL(schedule(dynamic));
    ALL(schedule(dynamic, 9));
    ALL(schedule(monotonic : dynamic, 3));
    ALL(schedule(dynamic, 1000000));
    ALL(schedule(guided));
    ALL(schedule(guided, 6));
    ALL(schedule(monotonic : guided, 2));
    ALL(schedule(runtime));
    return 0;
}
