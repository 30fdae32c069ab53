// SPDX-License-Identifier: BSD-3-Clause
// Defines the atomics for each TYPENAME by the machine's atomics on 32-bit and 64-bit integers. The conversions between
// the types cost no instruction. A float or a double is passed to these atomics as the integer that has the same bits.
#ifndef SKERRY_SHMEM_ATOMIC_INLINE_H
#define SKERRY_SHMEM_ATOMIC_INLINE_H

#include "../machine/machine.h"
#include "types.h"

#define SKERRY_BY_WIDTH(NAME, TYPE, word, pe)                                                                          \
    (sizeof(TYPE) == 8 ? (TYPE)skerry_atomic_##NAME##_64(word, pe) : (TYPE)skerry_atomic_##NAME##_32(word, pe))

#define SKERRY_UPDATE_BY_WIDTH(NAME, TYPE, word, value, pe)                                                            \
    do {                                                                                                               \
        if (sizeof(TYPE) == 8) skerry_atomic_##NAME##_64(word, (uint64_t)(value), pe);                                 \
        else skerry_atomic_##NAME##_32(word, (uint32_t)(value), pe);                                                   \
    } while (0)

// Each function contains a call for 32 bits and a call for 64 bits, each with casts of its own, so that the compiler
// does not warn of a conversion. The compiler removes the call whose width differs from the width of TYPE.
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_ALWAYS_INLINE TYPE skerry_atomic_fetch_##NAME(const TYPE *word, int pe) {                                   \
        skerry_may_be_polling(word);                                                                                   \
        return SKERRY_BY_WIDTH(load, TYPE, word, pe);                                                                  \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_set_##NAME(TYPE *word, TYPE value, int pe) {                               \
        SKERRY_UPDATE_BY_WIDTH(store, TYPE, word, value, pe);                                                          \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE TYPE skerry_atomic_swap_##NAME(TYPE *word, TYPE value, int pe) {                              \
        skerry_may_be_polling(word);                                                                                   \
        return sizeof(TYPE) == 8 ? (TYPE)skerry_atomic_swap_64(word, (uint64_t)value, pe)                              \
                                 : (TYPE)skerry_atomic_swap_32(word, (uint32_t)value, pe);                             \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE TYPE skerry_atomic_compare_swap_##NAME(TYPE *word, TYPE expected, TYPE value, int pe) {       \
        skerry_may_be_polling(word);                                                                                   \
        return sizeof(TYPE) == 8 ? (TYPE)skerry_atomic_compare_swap_64(word, (uint64_t)expected, (uint64_t)value, pe)  \
                                 : (TYPE)skerry_atomic_compare_swap_32(word, (uint32_t)expected, (uint32_t)value, pe); \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE TYPE skerry_atomic_fetch_add_##NAME(TYPE *word, TYPE value, int pe) {                         \
        return sizeof(TYPE) == 8 ? (TYPE)skerry_atomic_fetch_add_64(word, (uint64_t)value, pe)                         \
                                 : (TYPE)skerry_atomic_fetch_add_32(word, (uint32_t)value, pe);                        \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_add_##NAME(TYPE *word, TYPE value, int pe) {                               \
        SKERRY_UPDATE_BY_WIDTH(add, TYPE, word, value, pe);                                                            \
    }
SKERRY_STANDARD_ATOMIC_TYPES(SKERRY_LIST)
#undef SKERRY_LIST

#define SKERRY_LIST_ONE(NAME, TYPE, OPERATION)                                                                         \
    SKERRY_ALWAYS_INLINE TYPE skerry_atomic_fetch_##OPERATION##_##NAME(TYPE *word, TYPE value, int pe) {               \
        return sizeof(TYPE) == 8 ? (TYPE)skerry_atomic_fetch_##OPERATION##_64(word, (uint64_t)value, pe)               \
                                 : (TYPE)skerry_atomic_fetch_##OPERATION##_32(word, (uint32_t)value, pe);              \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_##OPERATION##_##NAME(TYPE *word, TYPE value, int pe) {                     \
        SKERRY_UPDATE_BY_WIDTH(OPERATION, TYPE, word, value, pe);                                                      \
    }
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, and)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, or)                                                                                    \
    SKERRY_LIST_ONE(NAME, TYPE, xor)
SKERRY_BITWISE_ATOMIC_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#undef SKERRY_LIST_ONE

#define SKERRY_LIST(NAME, TYPE, BITS)                                                                                  \
    union skerry_bits_of_##NAME {                                                                                      \
        TYPE value;                                                                                                    \
        uint##BITS##_t bits;                                                                                           \
    };                                                                                                                 \
    SKERRY_ALWAYS_INLINE TYPE skerry_atomic_fetch_##NAME(const TYPE *word, int pe) {                                   \
        skerry_may_be_polling(word);                                                                                   \
        union skerry_bits_of_##NAME result;                                                                            \
        result.bits = skerry_atomic_load_##BITS(word, pe);                                                             \
        return result.value;                                                                                           \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_set_##NAME(TYPE *word, TYPE value, int pe) {                               \
        union skerry_bits_of_##NAME bits;                                                                              \
        bits.value = value;                                                                                            \
        skerry_atomic_store_##BITS(word, bits.bits, pe);                                                               \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE TYPE skerry_atomic_swap_##NAME(TYPE *word, TYPE value, int pe) {                              \
        skerry_may_be_polling(word);                                                                                   \
        union skerry_bits_of_##NAME bits;                                                                              \
        bits.value = value;                                                                                            \
        bits.bits = skerry_atomic_swap_##BITS(word, bits.bits, pe);                                                    \
        return bits.value;                                                                                             \
    }
SKERRY_LIST(float, float, 32)
SKERRY_LIST(double, double, 64)
#undef SKERRY_LIST

#endif
