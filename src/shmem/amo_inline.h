// SPDX-License-Identifier: BSD-3-Clause
// Defines the bodies of the atomics in amo.h. A body calls the machine's atomic on a word of 4 or 8 bytes. If checks
// are switched on, a body also checks its arguments. A value of any type is passed as the integer that has the same
// bits. `pe` is a rank in the world team. A fetching body stores the word's old value at `fetched`.
#ifndef SKERRY_SHMEM_AMO_INLINE_H
#define SKERRY_SHMEM_AMO_INLINE_H

#include "../machine/machine.h"
#include "check.h"
#include "element.h"

// -- Words of 4 or 8 bytes ---------------------------------------------------------------------------------------------

// These macros perform the machine's atomic NAME on a word of `size` bytes. Every call passes a constant as `size`, so
// the compiler removes the branch for the other size.
#define SKERRY_FETCH_BY_SIZE(NAME, fetched, word, value, size, pe)                                                     \
    do {                                                                                                               \
        if ((size) == 8)                                                                                               \
            *(skerry_element_64 *)(fetched) =                                                                          \
                skerry_atomic_##NAME##_64(word, *(const skerry_element_64 *)(value), pe);                              \
        else                                                                                                           \
            *(skerry_element_32 *)(fetched) =                                                                          \
                skerry_atomic_##NAME##_32(word, *(const skerry_element_32 *)(value), pe);                              \
    } while (0)
#define SKERRY_CHANGE_BY_SIZE(NAME, word, value, size, pe)                                                             \
    do {                                                                                                               \
        if ((size) == 8) skerry_atomic_##NAME##_64(word, *(const skerry_element_64 *)(value), pe);                     \
        else skerry_atomic_##NAME##_32(word, *(const skerry_element_32 *)(value), pe);                                 \
    } while (0)

// -- Fetch, set, swap --------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_fetch(const char *routine, void *fetched, const void *source, size_t size,
                                                    int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "source", source, size, pe))
    (void)routine;
    if (size == 8) *(skerry_element_64 *)fetched = skerry_atomic_fetch_64(source, pe);
    else *(skerry_element_32 *)fetched = skerry_atomic_fetch_32(source, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_set(const char *routine, void *dest, const void *value, size_t size,
                                                  int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    SKERRY_CHANGE_BY_SIZE(store, dest, value, size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_swap(const char *routine, void *fetched, void *dest, const void *value,
                                                   size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    skerry_may_be_polling(dest);
    SKERRY_FETCH_BY_SIZE(swap, fetched, dest, value, size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_compare_swap(const char *routine, void *fetched, void *dest,
                                                           const void *cond, const void *value, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    skerry_may_be_polling(dest);
    if (size == 8)
        *(skerry_element_64 *)fetched = skerry_atomic_compare_swap_64(dest, *(const skerry_element_64 *)cond,
                                                                      *(const skerry_element_64 *)value, pe);
    else
        *(skerry_element_32 *)fetched = skerry_atomic_compare_swap_32(dest, *(const skerry_element_32 *)cond,
                                                                      *(const skerry_element_32 *)value, pe);
}

// -- Arithmetic --------------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_fetch_add(const char *routine, void *fetched, void *dest,
                                                        const void *value, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    SKERRY_FETCH_BY_SIZE(fetch_add, fetched, dest, value, size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_fetch_inc(const char *routine, void *fetched, void *dest, size_t size,
                                                        int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    if (size == 8) *(skerry_element_64 *)fetched = skerry_atomic_fetch_add_64(dest, 1, pe);
    else *(skerry_element_32 *)fetched = skerry_atomic_fetch_add_32(dest, 1, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_add(const char *routine, void *dest, const void *value, size_t size,
                                                  int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    SKERRY_CHANGE_BY_SIZE(add, dest, value, size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_inc(const char *routine, void *dest, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    if (size == 8) skerry_atomic_add_64(dest, 1, pe);
    else skerry_atomic_add_32(dest, 1, pe);
}

// -- Bits --------------------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_fetch_and(const char *routine, void *fetched, void *dest,
                                                        const void *value, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    SKERRY_FETCH_BY_SIZE(fetch_and, fetched, dest, value, size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_fetch_or(const char *routine, void *fetched, void *dest,
                                                       const void *value, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    SKERRY_FETCH_BY_SIZE(fetch_or, fetched, dest, value, size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_fetch_xor(const char *routine, void *fetched, void *dest,
                                                        const void *value, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    SKERRY_FETCH_BY_SIZE(fetch_xor, fetched, dest, value, size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_and(const char *routine, void *dest, const void *value, size_t size,
                                                  int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    SKERRY_CHANGE_BY_SIZE(and, dest, value, size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_or(const char *routine, void *dest, const void *value, size_t size,
                                                 int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    SKERRY_CHANGE_BY_SIZE(or, dest, value, size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_atomic_xor(const char *routine, void *dest, const void *value, size_t size,
                                                  int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_word(routine, "dest", dest, size, pe))
    (void)routine;
    SKERRY_CHANGE_BY_SIZE(xor, dest, value, size, pe);
}

// -- Non-blocking ------------------------------------------------------------------------------------------------------

// A routine such as shmem_int_atomic_fetch_nbi calls skerry_shmem_before_fetch, then the body of the atomic, then
// skerry_shmem_after_fetch. Without checks the two functions do nothing. With checks, skerry_shmem_after_fetch saves
// the result at `fetch` and overwrites it with a pattern. The next quiet restores the result. So a program that reads
// the result too early, before the quiet, gets a wrong value.
SKERRY_ALWAYS_INLINE void skerry_shmem_before_fetch(const char *routine, const void *fetch, size_t size) {
    SKERRY_WHEN_CHECKING(skerry_check_fetch(routine, fetch, size))
    (void)routine;
    (void)fetch;
    (void)size;
}
SKERRY_ALWAYS_INLINE void skerry_shmem_after_fetch(const char *routine, void *fetch, size_t size) {
    SKERRY_WHEN_CHECKING(skerry_check_fetch_nbi(routine, fetch, size))
    (void)routine;
    (void)fetch;
    (void)size;
}

#endif
