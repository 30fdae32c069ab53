// SPDX-License-Identifier: BSD-3-Clause
// The all, any, some and vector forms of wait_until and test for every type, on words that already hold their values:
// which indices come back, what a status mask leaves out, and what empty sets give.
#include "test.h"

#include <skerry/shmem/types.h>

#define WORDS 6

// Words 1, 3 and 4 satisfy >= 10; with the masks below only 3 and 4, or nothing, take part.
static const int no_first[WORDS] = {0, 7, 0, 0, 0, 0};
static const int only_satisfied[WORDS] = {1, -1, 1, 0, 0, 1};
static const int nothing[WORDS] = {1, 1, 1, 1, 1, 1};

static unsigned set_of(const size_t *indices, size_t count, const char *what) {
    unsigned set = 0;
    for (size_t i = 0; i < count; i++) {
        REQUIRE(indices[i] < WORDS && !(set >> indices[i] & 1), "%s: index %zu twice, or not an index", what,
                indices[i]);
        set |= 1u << indices[i];
    }
    return set;
}

static bool is_in(size_t index, unsigned set) {
    return index < WORDS && (set >> index & 1);
}

#define BITS_1_3_4 (1u << 1 | 1u << 3 | 1u << 4)
#define BITS_3_4 (1u << 3 | 1u << 4)

// SUFFIX is empty or _vector; VALUES, SMALL and LARGE stand for 10, 1 and 100, as one value or as an array.
#define FORMS(NAME, TYPE, SUFFIX, VALUES, SMALL, LARGE)                                                                \
    static void try_##NAME##SUFFIX(void) {                                                                             \
        static TYPE words[WORDS];                                                                                      \
        const TYPE content[WORDS] = {2, 10, 3, 11, 30, 4};                                                             \
        size_t indices[WORDS];                                                                                         \
        memcpy(words, content, sizeof words);                                                                          \
        const char *what = "shmem_" #NAME "_..." #SUFFIX;                                                              \
        shmem_##NAME##_wait_until_all##SUFFIX(words, WORDS, NULL, SHMEM_CMP_GE, SMALL);                                \
        shmem_##NAME##_wait_until_all##SUFFIX(words, WORDS, only_satisfied, SHMEM_CMP_GE, VALUES);                     \
        shmem_##NAME##_wait_until_all##SUFFIX(words, WORDS, nothing, SHMEM_CMP_GE, LARGE);                             \
        shmem_##NAME##_wait_until_all##SUFFIX(words, 0, NULL, SHMEM_CMP_GE, LARGE);                                    \
        REQUIRE(is_in(shmem_##NAME##_wait_until_any##SUFFIX(words, WORDS, NULL, SHMEM_CMP_GE, VALUES), BITS_1_3_4),    \
                "%s: wait_until_any", what);                                                                           \
        REQUIRE(is_in(shmem_##NAME##_wait_until_any##SUFFIX(words, WORDS, no_first, SHMEM_CMP_GE, VALUES), BITS_3_4),  \
                "%s: wait_until_any with a mask", what);                                                               \
        REQUIRE(shmem_##NAME##_wait_until_any##SUFFIX(words, WORDS, nothing, SHMEM_CMP_GE, VALUES) == SIZE_MAX,        \
                "%s: wait_until_any of nothing", what);                                                                \
        REQUIRE(shmem_##NAME##_wait_until_any##SUFFIX(words, 0, NULL, SHMEM_CMP_GE, VALUES) == SIZE_MAX,               \
                "%s: wait_until_any of no words", what);                                                               \
        size_t count = shmem_##NAME##_wait_until_some##SUFFIX(words, WORDS, indices, NULL, SHMEM_CMP_GE, VALUES);      \
        REQUIRE(set_of(indices, count, what) == BITS_1_3_4, "%s: wait_until_some gave %zu", what, count);              \
        count = shmem_##NAME##_wait_until_some##SUFFIX(words, WORDS, indices, no_first, SHMEM_CMP_GE, VALUES);         \
        REQUIRE(set_of(indices, count, what) == BITS_3_4, "%s: wait_until_some with a mask gave %zu", what, count);    \
        REQUIRE(shmem_##NAME##_wait_until_some##SUFFIX(words, WORDS, indices, nothing, SHMEM_CMP_GE, VALUES) == 0,     \
                "%s: wait_until_some of nothing", what);                                                               \
        REQUIRE(shmem_##NAME##_wait_until_some##SUFFIX(words, 0, indices, NULL, SHMEM_CMP_GE, VALUES) == 0,            \
                "%s: wait_until_some of no words", what);                                                              \
        REQUIRE(shmem_##NAME##_test_all##SUFFIX(words, WORDS, NULL, SHMEM_CMP_GE, SMALL) == 1 &&                       \
                    shmem_##NAME##_test_all##SUFFIX(words, WORDS, only_satisfied, SHMEM_CMP_GE, VALUES) == 1 &&        \
                    shmem_##NAME##_test_all##SUFFIX(words, WORDS, NULL, SHMEM_CMP_GE, VALUES) == 0 &&                  \
                    shmem_##NAME##_test_all##SUFFIX(words, WORDS, nothing, SHMEM_CMP_GE, LARGE) == 1 &&                \
                    shmem_##NAME##_test_all##SUFFIX(words, 0, NULL, SHMEM_CMP_GE, LARGE) == 1,                         \
                "%s: test_all", what);                                                                                 \
        REQUIRE(is_in(shmem_##NAME##_test_any##SUFFIX(words, WORDS, NULL, SHMEM_CMP_GE, VALUES), BITS_1_3_4) &&        \
                    is_in(shmem_##NAME##_test_any##SUFFIX(words, WORDS, no_first, SHMEM_CMP_GE, VALUES), BITS_3_4) &&  \
                    shmem_##NAME##_test_any##SUFFIX(words, WORDS, NULL, SHMEM_CMP_GE, LARGE) == SIZE_MAX &&            \
                    shmem_##NAME##_test_any##SUFFIX(words, WORDS, nothing, SHMEM_CMP_GE, SMALL) == SIZE_MAX &&         \
                    shmem_##NAME##_test_any##SUFFIX(words, 0, NULL, SHMEM_CMP_GE, SMALL) == SIZE_MAX,                  \
                "%s: test_any", what);                                                                                 \
        count = shmem_##NAME##_test_some##SUFFIX(words, WORDS, indices, NULL, SHMEM_CMP_GE, VALUES);                   \
        REQUIRE(set_of(indices, count, what) == BITS_1_3_4, "%s: test_some gave %zu", what, count);                    \
        count = shmem_##NAME##_test_some##SUFFIX(words, WORDS, indices, no_first, SHMEM_CMP_GE, VALUES);               \
        REQUIRE(set_of(indices, count, what) == BITS_3_4, "%s: test_some with a mask gave %zu", what, count);          \
        REQUIRE(shmem_##NAME##_test_some##SUFFIX(words, WORDS, indices, NULL, SHMEM_CMP_GE, LARGE) == 0 &&             \
                    shmem_##NAME##_test_some##SUFFIX(words, WORDS, indices, nothing, SHMEM_CMP_GE, SMALL) == 0 &&      \
                    shmem_##NAME##_test_some##SUFFIX(words, 0, indices, NULL, SHMEM_CMP_GE, SMALL) == 0,               \
                "%s: test_some", what);                                                                                \
        REQUIRE(memcmp(words, content, sizeof words) == 0, "%s: a wait changed its words", what);                      \
    }

#define TRY(NAME, TYPE)                                                                                                \
    static const TYPE tens_##NAME[WORDS] = {10, 10, 10, 10, 10, 10};                                                   \
    static const TYPE ones_##NAME[WORDS] = {1, 1, 1, 1, 1, 1};                                                         \
    static const TYPE hundreds_##NAME[WORDS] = {100, 100, 100, 100, 100, 100};                                         \
    FORMS(NAME, TYPE, , (TYPE)10, (TYPE)1, (TYPE)100)                                                                  \
    FORMS(NAME, TYPE, _vector, tens_##NAME, ones_##NAME, hundreds_##NAME)                                              \
    static void try_values_##NAME(void) {                                                                              \
        static TYPE words[3] = {1, 2, 3};                                                                              \
        const TYPE same[3] = {1, 2, 3}, last[3] = {9, 9, 3};                                                           \
        size_t index;                                                                                                  \
        shmem_##NAME##_wait_until_all_vector(words, 3, NULL, SHMEM_CMP_EQ, same);                                      \
        REQUIRE(shmem_##NAME##_test_all_vector(words, 3, NULL, SHMEM_CMP_EQ, same) == 1 &&                             \
                    shmem_##NAME##_test_all_vector(words, 3, NULL, SHMEM_CMP_EQ, last) == 0 &&                         \
                    shmem_##NAME##_test_any_vector(words, 3, NULL, SHMEM_CMP_EQ, last) == 2 &&                         \
                    shmem_##NAME##_wait_until_any_vector(words, 3, NULL, SHMEM_CMP_EQ, last) == 2 &&                   \
                    shmem_##NAME##_wait_until_some_vector(words, 3, &index, NULL, SHMEM_CMP_EQ, last) == 1 &&          \
                    index == 2,                                                                                        \
                "shmem_" #NAME "_..._vector: each word has its own value");                                            \
    }
SKERRY_FAMILY(STANDARD_ATOMIC, TRY)

#define CALL(NAME, TYPE)                                                                                               \
    try_##NAME();                                                                                                      \
    try_##NAME##_vector();                                                                                             \
    try_values_##NAME();

int main(void) {
    test_begin();
    SKERRY_FAMILY(STANDARD_ATOMIC, CALL)
    return test_end();
}
