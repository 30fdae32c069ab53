// SPDX-License-Identifier: BSD-3-Clause
// wait_until and test of every type compare as the type does: all six comparisons against a table of values around zero
// and the type's ends, where signed and unsigned differ.
#include "test.h"

#include <skerry/shmem/types.h>

static const int comparisons[] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE};

#define HOLDS(left, compare, right)                                                                                    \
    ((compare) == SHMEM_CMP_EQ   ? (left) == (right)                                                                   \
     : (compare) == SHMEM_CMP_NE ? (left) != (right)                                                                   \
     : (compare) == SHMEM_CMP_GT ? (left) > (right)                                                                    \
     : (compare) == SHMEM_CMP_LE ? (left) <= (right)                                                                   \
     : (compare) == SHMEM_CMP_LT ? (left) < (right)                                                                    \
                                 : (left) >= (right))

// All ones and the top bit alone are the largest values of an unsigned type, and small ones of a signed type.
#define TRY(NAME, TYPE)                                                                                                \
    static TYPE word_##NAME;                                                                                           \
    static void try_##NAME(void) {                                                                                     \
        const uint64_t top = UINT64_C(1) << (sizeof(TYPE) * 8 - 1);                                                    \
        const TYPE values[] = {0, 1, 2, (TYPE)-1, (TYPE)-2, (TYPE)top, (TYPE)(top - 1), (TYPE)(top + 1)};              \
        for (size_t i = 0; i < TEST_COUNT(values); i++)                                                                \
            for (size_t k = 0; k < TEST_COUNT(values); k++)                                                            \
                for (size_t c = 0; c < TEST_COUNT(comparisons); c++) {                                                 \
                    word_##NAME = values[i];                                                                           \
                    int expected = HOLDS(values[i], comparisons[c], values[k]);                                        \
                    int got = shmem_##NAME##_test(&word_##NAME, comparisons[c], values[k]);                            \
                    REQUIRE(got == expected, "shmem_" #NAME "_test: value %zu, comparison %d, value %zu gave %d", i,   \
                            comparisons[c], k, got);                                                                   \
                    if (expected) shmem_##NAME##_wait_until(&word_##NAME, comparisons[c], values[k]);                  \
                }                                                                                                      \
    }

// The same constants in the program text take the path that the compiler has decided.
#define TRY_CONSTANT(NAME, TYPE)                                                                                       \
    static void try_constant_##NAME(void) {                                                                            \
        word_##NAME = 4;                                                                                               \
        bool all = shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_EQ, 4) &&                                               \
                   shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_NE, 3) &&                                               \
                   shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_GT, 3) &&                                               \
                   shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_LE, 4) &&                                               \
                   shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_LT, 5) &&                                               \
                   shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_GE, 4);                                                 \
        bool none = shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_EQ, 5) ||                                              \
                    shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_NE, 4) ||                                              \
                    shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_GT, 4) ||                                              \
                    shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_LE, 3) ||                                              \
                    shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_LT, 4) ||                                              \
                    shmem_##NAME##_test(&word_##NAME, SHMEM_CMP_GE, 5);                                                \
        REQUIRE(all && !none, "shmem_" #NAME "_test with constants");                                                  \
    }
#define TRY_BOTH(NAME, TYPE) TRY(NAME, TYPE) TRY_CONSTANT(NAME, TYPE)
SKERRY_FAMILY(WAIT, TRY_BOTH)

#define CALL(NAME, TYPE)                                                                                               \
    try_##NAME();                                                                                                      \
    try_constant_##NAME();

static uint64_t signal;

static void try_signal(void) {
    signal = UINT64_MAX;
    REQUIRE(shmem_signal_wait_until(&signal, SHMEM_CMP_GT, 1) == UINT64_MAX, "signals are unsigned");
    REQUIRE(shmem_signal_wait_until(&signal, SHMEM_CMP_GE, UINT64_MAX) == UINT64_MAX, "signal >= its largest value");
    REQUIRE(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, UINT64_MAX) == UINT64_MAX, "signal == its largest value");
    signal = 0;
    REQUIRE(shmem_signal_wait_until(&signal, SHMEM_CMP_LT, 1) == 0, "signal 0 < 1");
    REQUIRE(shmem_signal_wait_until(&signal, SHMEM_CMP_LE, 0) == 0, "signal 0 <= 0");
    REQUIRE(shmem_signal_wait_until(&signal, SHMEM_CMP_NE, UINT64_MAX) == 0, "signal 0 != its largest value");
}

int main(void) {
    test_begin();
    SKERRY_FAMILY(WAIT, CALL)
    try_signal();
    return test_end();
}
