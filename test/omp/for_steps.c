// SPDX-License-Identifier: BSD-3-Clause
// Loops down, with steps other than 1, whose last step passes the end, of all integer types and over pointers.
#include "test.h"

#define PRAGMA(...) PRAGMA_TEXT(__VA_ARGS__)
#define PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)

static void check(const char *what, long ran, long long sum, long wanted, long long wanted_sum) {
    REQUIRE(ran == wanted && sum == wanted_sum, "%s: %ld iterations, not %ld; sum %lld, not %lld", what, ran, wanted,
            sum, wanted_sum);
}

#define ONE(type, begin, compare, end, step, clause)                                                                   \
    do {                                                                                                               \
        long ran = 0, right = 0;                                                                                       \
        long long sum = 0, right_sum = 0;                                                                              \
        for (type i = (type)(begin); i compare(type)(end); i = (type)(i + (type)(step))) {                             \
            right++;                                                                                                   \
            right_sum += (long long)i;                                                                                 \
        }                                                                                                              \
        PRAGMA(omp parallel for clause reduction(+ : ran, sum))                                                        \
        for (type i = (type)(begin); i compare(type)(end); i += (type)(step)) {                                        \
            ran++;                                                                                                     \
            sum += (long long)i;                                                                                       \
        }                                                                                                              \
        check(#type " " #begin " " #compare " " #end " by " #step " " #clause, ran, sum, right, right_sum);            \
    } while (0)
#define STEPS_UP(type, clause)                                                                                         \
    ONE(type, 0, <, 100, 1, clause);                                                                                   \
    ONE(type, 3, <=, 101, 7, clause);                                                                                  \
    ONE(type, 5, <, 5, 3, clause);                                                                                     \
    ONE(type, 9, <, 10, 50, clause);                                                                                   \
    ONE(type, 0, <=, 0, 1, clause)
#define STEPS_DOWN(type, clause)                                                                                       \
    ONE(type, 100, >, 0, -1, clause);                                                                                  \
    ONE(type, 101, >=, 3, -7, clause);                                                                                 \
    ONE(type, 50, >, -50, -9, clause);                                                                                 \
    ONE(type, 3, >, 5, -1, clause)
#define CLAUSES(STEPS, type)                                                                                           \
    STEPS(type, );                                                                                                     \
    STEPS(type, schedule(static, 3));                                                                                  \
    STEPS(type, schedule(dynamic));                                                                                    \
    STEPS(type, schedule(dynamic, 4));                                                                                 \
    STEPS(type, schedule(guided, 2));                                                                                  \
    STEPS(type, schedule(runtime))

static void integers(void) {
    CLAUSES(STEPS_UP, int);
    CLAUSES(STEPS_DOWN, int);
    CLAUSES(STEPS_UP, unsigned);
    CLAUSES(STEPS_UP, long);
    CLAUSES(STEPS_DOWN, long);
    CLAUSES(STEPS_UP, unsigned long);
    CLAUSES(STEPS_UP, long long);
    CLAUSES(STEPS_DOWN, long long);
    CLAUSES(STEPS_UP, unsigned long long);
}

static void unsigned_down(void) {
    long ran = 0;
    unsigned long long sum = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : ran, sum)
    for (unsigned long long i = 100; i > 10; i -= 4) {
        ran++;
        sum += i;
    }
    REQUIRE(ran == 23 && sum == 1288, "unsigned down, dynamic: %ld, sum %llu", ran, sum);
    ran = 0;
    sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : ran, sum)
    for (unsigned long i = 100; i >= 12; i -= 4) {
        ran++;
        sum += i;
    }
    REQUIRE(ran == 23 && sum == 1288, "unsigned down, guided: %ld, sum %llu", ran, sum);
}

static void pointers(void) {
    static int values[200];
#pragma omp parallel for schedule(dynamic, 5)
    for (int *p = values; p < values + 200; p += 3) ++*p;
#pragma omp parallel for schedule(guided)
    for (int *p = values + 199; p >= values; p -= 2) *p += 10;
    for (int i = 0; i < 200; i++) {
        int right = (i % 3 == 0) + (i % 2 == 1 ? 10 : 0);
        REQUIRE(values[i] == right, "pointers: element %d is %d, not %d", i, values[i], right);
    }
}

int main(void) {
    integers();
    unsigned_down();
    pointers();
    return 0;
}
