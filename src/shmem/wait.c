// SPDX-License-Identifier: BSD-3-Clause
// Defines the routines that wait for or test several words in one call, and the symbols of the inline routines in
// wait.h. A scan polls each word that the status array does not exclude, and finds the words that satisfy their
// comparison.
#include "internal.h"

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "wait.h"
#undef SKERRY_WHEN_CHECKING
#define SKERRY_WHEN_CHECKING(...)                                                                                      \
    if (__builtin_expect(skerry_checking, 0)) {                                                                        \
        __VA_ARGS__;                                                                                                   \
    }

// State from which scan_begin computes the index at which a scan for any or some words begins. The index differs from
// call to call, so that a word that stays satisfied does not hide the other words (fairness, specification 9.9). The
// state grows by 2^32 divided by the golden ratio in each call. The indices are therefore spread evenly for every
// number of words and every pattern of calls on several arrays. With a counter they would not be.
static SKERRY_PER_THREAD uint32_t rotation;

static size_t scan_begin(size_t count) {
    rotation += 0x9e3779b9u;
    return count ? (size_t)(((uint64_t)rotation * (count & UINT32_MAX)) >> 32) : 0;
}

static bool is_left_out(const int *status, size_t at) {
    return status && status[at] != 0;
}

// Defines scan_NAME, which polls each word that `status` does not exclude once, beginning at index `begin`. `values`
// has one element if `step` is 0, and one element for each word if `step` is 1. Returns the number of words that
// satisfy the comparison. Stores in *first the index of the first such word in the order of the scan, and in `indices`,
// unless it is NULL, the indices of all such words. Stores in *included, once in each scan, the number of words that
// were polled: the simulator detects a deadlock by polls that change no memory.
#define SKERRY_SCAN(NAME, TYPE)                                                                                        \
    static size_t scan_##NAME(TYPE *words, size_t count, const int *status, int compare, const TYPE *values,           \
                              size_t step, size_t begin, size_t *indices, size_t *first, size_t *included) {           \
        size_t found = 0, seen = 0;                                                                                    \
        words = (TYPE *)skerry_poll_address(words);                                                                    \
        for (size_t i = 0; i < count; i++) {                                                                           \
            size_t at = begin + i < count ? begin + i : begin + i - count;                                             \
            if (is_left_out(status, at)) continue;                                                                     \
            seen++;                                                                                                    \
            if (!SKERRY_COMPARE(SKERRY_LOAD_ACQUIRE(&words[at]), compare, values[at * step])) continue;                \
            if (found == 0) *first = at;                                                                               \
            if (indices) indices[found] = at;                                                                          \
            found++;                                                                                                   \
        }                                                                                                              \
        *included = seen;                                                                                              \
        return found;                                                                                                  \
    }

// Defines, for one type, the functions behind the routines that wait for or test all, any or some words. wait_some and
// wait_any also do the tests for some and any words: if `wait` is false they poll each word once and return. wait_all
// waits for one word after the other, and does not poll a word again after it satisfied its comparison.
#define SKERRY_OUTCOMES(NAME, TYPE)                                                                                    \
    static void wait_all_##NAME(TYPE *words, size_t count, const int *status, int compare, const TYPE *values,         \
                                size_t step) {                                                                         \
        words = (TYPE *)skerry_poll_address(words);                                                                    \
        for (size_t i = 0; i < count; i++) {                                                                           \
            if (is_left_out(status, i)) continue;                                                                      \
            SKERRY_PAUSE(pause);                                                                                       \
            while (!SKERRY_COMPARE(SKERRY_LOAD_ACQUIRE(&words[i]), compare, values[i * step]))                         \
                skerry_pause(&pause, skerry_my_pe());                                                                  \
        }                                                                                                              \
    }                                                                                                                  \
    static size_t wait_some_##NAME(TYPE *words, size_t count, size_t *indices, size_t *first, const int *status,       \
                                   int compare, const TYPE *values, size_t step, bool wait) {                          \
        SKERRY_PAUSE(pause);                                                                                           \
        size_t begin = scan_begin(count);                                                                              \
        for (;;) {                                                                                                     \
            size_t included;                                                                                           \
            size_t found = scan_##NAME(words, count, status, compare, values, step, begin, indices, first, &included); \
            if (found || !included) return found;                                                                      \
            if (!wait) return (size_t)skerry_test_outcome(0);                                                          \
            skerry_pause(&pause, skerry_my_pe());                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    static size_t wait_any_##NAME(TYPE *words, size_t count, const int *status, int compare, const TYPE *values,       \
                                  size_t step, bool wait) {                                                            \
        size_t first;                                                                                                  \
        return wait_some_##NAME(words, count, 0, &first, status, compare, values, step, wait) ? first : SIZE_MAX;      \
    }                                                                                                                  \
    static int test_all_##NAME(TYPE *words, size_t count, const int *status, int compare, const TYPE *values,          \
                               size_t step) {                                                                          \
        size_t first, included;                                                                                        \
        size_t found = scan_##NAME(words, count, status, compare, values, step, 0, 0, &first, &included);              \
        return skerry_test_outcome(found == included);                                                                 \
    }

#define SKERRY_FORMS(NAME, TYPE, SUFFIX, VALUE_PARAMETER, VALUES, STEP)                                                \
    SKERRY_DEFINE(void, shmem_##NAME##_wait_until_all##SUFFIX,                                                         \
                  (TYPE * ivars, size_t nelems, const int *status, int cmp, VALUE_PARAMETER)) {                        \
        SKERRY_WHEN_CHECKING(                                                                                          \
            skerry_check_wait_many(__func__ + 1, ivars, sizeof(TYPE), nelems, cmp, VALUES, STEP, status))              \
        wait_all_##NAME(ivars, nelems, status, cmp, VALUES, STEP);                                                     \
    }                                                                                                                  \
    SKERRY_DEFINE(size_t, shmem_##NAME##_wait_until_any##SUFFIX,                                                       \
                  (TYPE * ivars, size_t nelems, const int *status, int cmp, VALUE_PARAMETER)) {                        \
        SKERRY_WHEN_CHECKING(                                                                                          \
            skerry_check_wait_many(__func__ + 1, ivars, sizeof(TYPE), nelems, cmp, VALUES, STEP, status))              \
        return wait_any_##NAME(ivars, nelems, status, cmp, VALUES, STEP, true);                                        \
    }                                                                                                                  \
    SKERRY_DEFINE(size_t, shmem_##NAME##_wait_until_some##SUFFIX,                                                      \
                  (TYPE * ivars, size_t nelems, size_t * indices, const int *status, int cmp, VALUE_PARAMETER)) {      \
        size_t first;                                                                                                  \
        SKERRY_WHEN_CHECKING(skerry_check_indices(__func__ + 1, indices, nelems))                                      \
        SKERRY_WHEN_CHECKING(                                                                                          \
            skerry_check_wait_many(__func__ + 1, ivars, sizeof(TYPE), nelems, cmp, VALUES, STEP, status))              \
        return wait_some_##NAME(ivars, nelems, indices, &first, status, cmp, VALUES, STEP, true);                      \
    }                                                                                                                  \
    SKERRY_DEFINE(int, shmem_##NAME##_test_all##SUFFIX,                                                                \
                  (TYPE * ivars, size_t nelems, const int *status, int cmp, VALUE_PARAMETER)) {                        \
        SKERRY_WHEN_CHECKING(                                                                                          \
            skerry_check_wait_many(__func__ + 1, ivars, sizeof(TYPE), nelems, cmp, VALUES, STEP, status))              \
        return test_all_##NAME(ivars, nelems, status, cmp, VALUES, STEP);                                              \
    }                                                                                                                  \
    SKERRY_DEFINE(size_t, shmem_##NAME##_test_any##SUFFIX,                                                             \
                  (TYPE * ivars, size_t nelems, const int *status, int cmp, VALUE_PARAMETER)) {                        \
        SKERRY_WHEN_CHECKING(                                                                                          \
            skerry_check_wait_many(__func__ + 1, ivars, sizeof(TYPE), nelems, cmp, VALUES, STEP, status))              \
        return wait_any_##NAME(ivars, nelems, status, cmp, VALUES, STEP, false);                                       \
    }                                                                                                                  \
    SKERRY_DEFINE(size_t, shmem_##NAME##_test_some##SUFFIX,                                                            \
                  (TYPE * ivars, size_t nelems, size_t * indices, const int *status, int cmp, VALUE_PARAMETER)) {      \
        size_t first;                                                                                                  \
        SKERRY_WHEN_CHECKING(skerry_check_indices(__func__ + 1, indices, nelems))                                      \
        SKERRY_WHEN_CHECKING(                                                                                          \
            skerry_check_wait_many(__func__ + 1, ivars, sizeof(TYPE), nelems, cmp, VALUES, STEP, status))              \
        return wait_some_##NAME(ivars, nelems, indices, &first, status, cmp, VALUES, STEP, false);                     \
    }

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_SCAN(NAME, TYPE)                                                                                            \
    SKERRY_OUTCOMES(NAME, TYPE)                                                                                        \
    SKERRY_FORMS(NAME, TYPE, , TYPE cmp_value, &cmp_value, 0)                                                          \
    SKERRY_FORMS(NAME, TYPE, _vector, const TYPE *cmp_values, cmp_values, 1)
SKERRY_STANDARD_ATOMIC_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
