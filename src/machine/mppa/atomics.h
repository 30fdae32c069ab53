// SPDX-License-Identifier: BSD-3-Clause
// Defines the atomic operations. Those on a word of this PE are performed by the calling core, and those on a word of a
// far PE by the server of that PE (jobs.h).
// * 32 bits: both are the instruction AMO, LR or SC of a core of the cluster that has the word, so they are atomic with
//   respect to each other.
// * 64 bits: the cores have no such instructions. All operations of a PE's cores and of its server hold one lock of the
//   PE (core.c). A load holds no lock, because one instruction loads the whole word.
#ifndef SKERRY_MACHINE_MPPA_ATOMICS_H
#define SKERRY_MACHINE_MPPA_ATOMICS_H

#include "../defaults/far_operation.h"

// Stores to a word of a far PE, behind all earlier puts and atomic operations of this core (request.c).
void skerry_far_store_release_32(void *word, uint32_t value, int pe);

// Operations on a word of a far PE (request.c). skerry_far_fetch_* return the old value; `expected` is for a compare-swap
// only. skerry_far_change_* return before the operation has been performed; the next quiet waits for it.
uint32_t skerry_far_fetch_32(enum skerry_far_operation operation, const volatile void *word, uint32_t value,
                             uint32_t expected, int pe);
uint64_t skerry_far_fetch_64(enum skerry_far_operation operation, const volatile void *word, uint64_t value,
                             uint64_t expected, int pe);
void skerry_far_change_32(enum skerry_far_operation operation, void *word, uint32_t value, int pe);
void skerry_far_change_64(enum skerry_far_operation operation, void *word, uint64_t value, int pe);

// Operations on a word of this PE (core.c).
uint32_t skerry_near_compare_swap_32(uint32_t *word, uint32_t expected, uint32_t value);
uint32_t skerry_near_swap_upper_32(uint32_t *word, uint32_t value);
uint64_t skerry_near_change_64(enum skerry_far_operation operation, void *word, uint64_t value, uint64_t expected);

#define SKERRY_MPPA_AMO(NAME, OPERATION, INSTRUCTION)                                                                  \
    SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_##NAME##_32(void *word, uint32_t value, int pe) {                      \
        if (!skerry_is_near(pe)) return skerry_far_fetch_32(OPERATION, word, value, 0, pe);                            \
        uint32_t *here = (uint32_t *)skerry_localize(word), old;                                                       \
        __asm__ volatile(INSTRUCTION ".w.aqrl %0, %2, %1" : "=r"(old), "+A"(*here) : "r"(value) : "memory");           \
        return old;                                                                                                    \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE uint64_t skerry_atomic_##NAME##_64(void *word, uint64_t value, int pe) {                      \
        if (!skerry_is_near(pe)) return skerry_far_fetch_64(OPERATION, word, value, 0, pe);                            \
        return skerry_near_change_64(OPERATION, skerry_localize(word), value, 0);                                      \
    }
SKERRY_MPPA_AMO(swap, SKERRY_FAR_SWAP, "amoswap")
SKERRY_MPPA_AMO(fetch_add, SKERRY_FAR_FETCH_ADD, "amoadd")
SKERRY_MPPA_AMO(fetch_and, SKERRY_FAR_FETCH_AND, "amoand")
SKERRY_MPPA_AMO(fetch_or, SKERRY_FAR_FETCH_OR, "amoor")
SKERRY_MPPA_AMO(fetch_xor, SKERRY_FAR_FETCH_XOR, "amoxor")

#define SKERRY_MPPA_POSTED(NAME, OPERATION)                                                                            \
    SKERRY_ALWAYS_INLINE void skerry_atomic_##NAME##_32(void *word, uint32_t value, int pe) {                          \
        if (!skerry_is_near(pe)) skerry_far_change_32(OPERATION, word, value, pe);                                     \
        else (void)skerry_atomic_fetch_##NAME##_32(word, value, pe);                                                   \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_##NAME##_64(void *word, uint64_t value, int pe) {                          \
        if (!skerry_is_near(pe)) skerry_far_change_64(OPERATION, word, value, pe);                                     \
        else (void)skerry_atomic_fetch_##NAME##_64(word, value, pe);                                                   \
    }
SKERRY_MPPA_POSTED(add, SKERRY_FAR_ADD)
SKERRY_MPPA_POSTED(and, SKERRY_FAR_AND)
SKERRY_MPPA_POSTED(or, SKERRY_FAR_OR)
SKERRY_MPPA_POSTED(xor, SKERRY_FAR_XOR)

SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_compare_swap_32(void *word, uint32_t expected, uint32_t value, int pe) {
    if (!skerry_is_near(pe)) return skerry_far_fetch_32(SKERRY_FAR_COMPARE_SWAP, word, value, expected, pe);
    return skerry_near_compare_swap_32((uint32_t *)skerry_localize(word), expected, value);
}

uint32_t skerry_atomic_swap_upper_32(void *word, uint32_t value, int pe); // core.c

SKERRY_ALWAYS_INLINE uint64_t skerry_atomic_compare_swap_64(void *word, uint64_t expected, uint64_t value, int pe) {
    if (!skerry_is_near(pe)) return skerry_far_fetch_64(SKERRY_FAR_COMPARE_SWAP, word, value, expected, pe);
    return skerry_near_change_64(SKERRY_FAR_COMPARE_SWAP, skerry_localize(word), value, expected);
}

SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_load_32(const volatile void *word, int pe) {
    if (!skerry_is_near(pe)) return skerry_far_fetch_32(SKERRY_FAR_LOAD, word, 0, 0, pe);
    uint32_t value;
    skerry_load_word(&value, skerry_localize(word), sizeof value);
    return value;
}

SKERRY_ALWAYS_INLINE uint64_t skerry_atomic_load_64(const volatile void *word, int pe) {
    if (!skerry_is_near(pe)) return skerry_far_fetch_64(SKERRY_FAR_LOAD, word, 0, 0, pe);
    uint64_t value;
    skerry_load_word(&value, skerry_localize(word), sizeof value);
    return value;
}

// A store to a far PE is a put, which arrives behind this core's earlier puts to this PE. For 64 bits it is a job: another
// operation could be between its load and its store of the word.
SKERRY_ALWAYS_INLINE void skerry_atomic_store_32(void *word, uint32_t value, int pe) {
    __asm__ volatile("fence rw, w" ::: "memory");
    if (skerry_is_near(pe)) *(volatile uint32_t *)skerry_localize(word) = value;
    else skerry_far_store_release_32(word, value, pe);
}

void skerry_atomic_store_64(void *word, uint64_t value, int pe);

#endif
