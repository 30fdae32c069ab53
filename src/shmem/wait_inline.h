// SPDX-License-Identifier: BSD-3-Clause
// Defines the bodies of the routines in wait.h that wait for one word or test one word. A body gets the word's size and
// signedness as arguments, so it serves several types. Each body checks its arguments if checks are switched on.
#ifndef SKERRY_SHMEM_WAIT_INLINE_H
#define SKERRY_SHMEM_WAIT_INLINE_H

#include "../machine/machine.h"
#include "check.h"
#include "element.h"

typedef int16_t __attribute__((may_alias)) skerry_signed_16;
typedef int32_t __attribute__((may_alias)) skerry_signed_32;
typedef int64_t __attribute__((may_alias)) skerry_signed_64;

// Compares two values as the point-to-point routines do; `compare` is one of SHMEM_CMP_*. If `compare` is a constant,
// the expression compiles to one instruction.
#define SKERRY_COMPARE(left, compare, right)                                                                           \
    ((compare) == SHMEM_CMP_EQ   ? (left) == (right)                                                                   \
     : (compare) == SHMEM_CMP_NE ? (left) != (right)                                                                   \
     : (compare) == SHMEM_CMP_GT ? (left) > (right)                                                                    \
     : (compare) == SHMEM_CMP_LE ? (left) <= (right)                                                                   \
     : (compare) == SHMEM_CMP_LT ? (left) < (right)                                                                    \
                                 : (left) >= (right))
#define SKERRY_SATISFIES(TYPE, word, compare, value)                                                                   \
    SKERRY_COMPARE(SKERRY_LOAD_ACQUIRE((const TYPE *)(word)), compare, *(const TYPE *)(value))

// Loads a word of 2, 4 or 8 bytes and returns true if it satisfies the comparison with the value at `value`. The load
// is an acquire.
SKERRY_ALWAYS_INLINE bool skerry_satisfies(const void *word, int compare, const void *value, size_t size,
                                           bool is_signed) {
    if (size == 8)
        return is_signed ? SKERRY_SATISFIES(skerry_signed_64, word, compare, value)
                         : SKERRY_SATISFIES(skerry_element_64, word, compare, value);
    if (size == 4)
        return is_signed ? SKERRY_SATISFIES(skerry_signed_32, word, compare, value)
                         : SKERRY_SATISFIES(skerry_element_32, word, compare, value);
    return is_signed ? SKERRY_SATISFIES(skerry_signed_16, word, compare, value)
                     : SKERRY_SATISFIES(skerry_element_16, word, compare, value);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_wait_until(const char *routine, const void *word, int compare, const void *value,
                                                  size_t size, bool is_signed) {
    SKERRY_WHEN_CHECKING(skerry_check_wait(routine, word, size, compare))
    (void)routine;
    SKERRY_PAUSE(pause);
    word = skerry_poll_address(word);
    while (!skerry_satisfies(word, compare, value, size, is_signed)) skerry_pause(&pause, skerry_my_pe());
}

// Returns `found`, the result of a routine that polls once. If the poll found nothing and PEs share processors, first
// yields the processor: the PE that will change the word possibly needs this processor.
SKERRY_ALWAYS_INLINE int skerry_test_outcome(int found) {
    if (!found) skerry_poll_again();
    return found;
}

SKERRY_ALWAYS_INLINE int skerry_shmem_test(const char *routine, const void *word, int compare, const void *value,
                                           size_t size, bool is_signed) {
    SKERRY_WHEN_CHECKING(skerry_check_wait(routine, word, size, compare))
    (void)routine;
    return skerry_test_outcome(skerry_satisfies(skerry_poll_address(word), compare, value, size, is_signed));
}

SKERRY_ALWAYS_INLINE uint64_t skerry_shmem_signal_wait_until(const char *routine, const uint64_t *address, int compare,
                                                             uint64_t value) {
    SKERRY_WHEN_CHECKING(skerry_check_wait(routine, address, sizeof *address, compare))
    (void)routine;
    SKERRY_PAUSE(pause);
    const uint64_t *word = (const uint64_t *)skerry_poll_address(address);
    uint64_t seen;
    while (seen = SKERRY_LOAD_ACQUIRE(word), !SKERRY_COMPARE(seen, compare, value))
        skerry_pause(&pause, skerry_my_pe());
    return seen;
}

#endif
