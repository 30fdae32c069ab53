// SPDX-License-Identifier: BSD-3-Clause
// Defines the bodies of the puts and gets in rma.h. A body gets the size of an element as an argument, so it serves all
// types of this size. Each body checks its arguments if checks are switched on; `pe` is a rank in the world team.
#ifndef SKERRY_SHMEM_RMA_INLINE_H
#define SKERRY_SHMEM_RMA_INLINE_H

#include "../machine/machine.h"
#include "check.h"
#include "element.h"

// -- Contiguous elements -----------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_shmem_put(const char *routine, void *dest, const void *source, size_t count,
                                           size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_put(routine, dest, source, count, size, pe))
    (void)routine;
    skerry_put(dest, source, count * size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_get(const char *routine, void *dest, const void *source, size_t count,
                                           size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_get(routine, dest, source, count, size, pe))
    (void)routine;
    skerry_get(dest, source, count * size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_put_nbi(const char *routine, void *dest, const void *source, size_t count,
                                               size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_put_nbi(routine, dest, source, count, size, pe))
    (void)routine;
    skerry_put_nbi(dest, source, count * size, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_get_nbi(const char *routine, void *dest, const void *source, size_t count,
                                               size_t size, int pe) {
    SKERRY_WHEN_CHECKING(if (skerry_check_get_nbi(routine, dest, source, count, size, pe)) return )
    (void)routine;
    skerry_get_nbi(dest, source, count * size, pe);
}

// -- One element -------------------------------------------------------------------------------------------------------

// Stores one element of 1, 2, 4 or 8 bytes, or a long double, in one access.
SKERRY_ALWAYS_INLINE void skerry_shmem_p(const char *routine, void *dest, const void *value, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_put(routine, dest, value, 1, size, pe))
    (void)routine;
    switch (size) {
    case 1: skerry_put_value(skerry_element_8, dest, *(const skerry_element_8 *)value, pe); break;
    case 2: skerry_put_value(skerry_element_16, dest, *(const skerry_element_16 *)value, pe); break;
    case 4: skerry_put_value(skerry_element_32, dest, *(const skerry_element_32 *)value, pe); break;
    case 8: skerry_put_value(skerry_element_64, dest, *(const skerry_element_64 *)value, pe); break;
    default: skerry_put_value(long double, dest, *(const long double *)value, pe);
    }
}

// Loads one element of another PE in one access, as skerry_shmem_p stores it. Stores the element at `value`.
SKERRY_ALWAYS_INLINE void skerry_shmem_g(const char *routine, void *value, const void *source, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_get_value(routine, source, size, pe))
    (void)routine;
    switch (size) {
    case 1: *(skerry_element_8 *)value = skerry_get_value(skerry_element_8, source, pe); break;
    case 2: *(skerry_element_16 *)value = skerry_get_value(skerry_element_16, source, pe); break;
    case 4: *(skerry_element_32 *)value = skerry_get_value(skerry_element_32, source, pe); break;
    case 8: *(skerry_element_64 *)value = skerry_get_value(skerry_element_64, source, pe); break;
    default: *(long double *)value = skerry_get_value(long double, source, pe);
    }
}

// -- Strided elements --------------------------------------------------------------------------------------------------

// These functions copy `count` blocks of `block` elements. The starts of successive blocks are `dst` and `sst` elements
// apart.
SKERRY_ALWAYS_INLINE void skerry_shmem_ibput(const char *routine, void *dest, const void *source, ptrdiff_t dst,
                                             ptrdiff_t sst, size_t block, size_t count, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_iput(routine, dest, source, dst, sst, size, block, count, pe))
    (void)routine;
    skerry_put_strided(dest, source, dst * (ptrdiff_t)size, sst * (ptrdiff_t)size, block * size, count, pe);
}

SKERRY_ALWAYS_INLINE void skerry_shmem_ibget(const char *routine, void *dest, const void *source, ptrdiff_t dst,
                                             ptrdiff_t sst, size_t block, size_t count, size_t size, int pe) {
    SKERRY_WHEN_CHECKING(skerry_check_iget(routine, dest, source, dst, sst, size, block, count, pe))
    (void)routine;
    skerry_get_strided(dest, source, dst * (ptrdiff_t)size, sst * (ptrdiff_t)size, block * size, count, pe);
}

#endif
