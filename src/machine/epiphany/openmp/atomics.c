// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the compiler calls for C's atomic operations (_Atomic, __atomic_fetch_add), because the core
// has no instructions for them. An operation changes its word while it holds a lock in the word's core (../atomic.h says
// why this is atomic). For a word in external memory the lock is in the first core, and the store must have arrived
// before the lock is released.
#include "core.h"

#define NAME2(NAME, BYTES) __atomic_##NAME##_##BYTES
#define NAMED(NAME, BYTES) NAME2(NAME, BYTES)
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

static uint32_t lock_of_core;

static volatile uint32_t *take(const volatile void *word) {
    const bool is_outside = skerry_is_outside(word);
    uint32_t partition = (uint32_t)(uintptr_t)word & ~(uint32_t)SKERRY_PARTITION_MASK;
    if (is_outside) partition = skerry_partitions[0];
    volatile uint32_t *lock = (volatile uint32_t *)(partition | (uintptr_t)&lock_of_core);
    while (skerry_test_and_set(lock) != 0) continue;
    return lock;
}

static void give(volatile uint32_t *lock, const volatile void *word) {
    if (skerry_is_outside(word)) (void)*(const volatile uint8_t *)word;
    skerry_compiler_fence();
    *lock = 0;
}

#define FETCHING(TYPE, BYTES, NAME, NEW)                                                                               \
    TYPE NAMED(NAME, BYTES)(volatile void *word, TYPE value, int order);                                               \
    TYPE NAMED(NAME, BYTES)(volatile void *word, TYPE value, int order) {                                              \
        (void)order;                                                                                                   \
        volatile TYPE *at = word;                                                                                      \
        volatile uint32_t *lock = take(word);                                                                          \
        TYPE old = *at;                                                                                                \
        *at = (TYPE)(NEW);                                                                                             \
        give(lock, word);                                                                                              \
        return old;                                                                                                    \
    }

#define LIBCALLS(TYPE, BYTES)                                                                                          \
    bool NAMED(compare_exchange, BYTES)(volatile void *word, void *expected, TYPE value, int success, int failure);    \
    bool NAMED(compare_exchange, BYTES)(volatile void *word, void *expected, TYPE value, int success, int failure) {   \
        (void)success;                                                                                                 \
        (void)failure;                                                                                                 \
        volatile TYPE *at = word;                                                                                      \
        volatile uint32_t *lock = take(word);                                                                          \
        TYPE old = *at;                                                                                                \
        bool equal = old == *(TYPE *)expected;                                                                         \
        if (equal) *at = value;                                                                                        \
        give(lock, word);                                                                                              \
        *(TYPE *)expected = old;                                                                                       \
        return equal;                                                                                                  \
    }                                                                                                                  \
    FETCHING(TYPE, BYTES, exchange, value)                                                                             \
    FETCHING(TYPE, BYTES, fetch_add, old + value)                                                                      \
    FETCHING(TYPE, BYTES, fetch_sub, old - value)                                                                      \
    FETCHING(TYPE, BYTES, fetch_and, old &value)                                                                       \
    FETCHING(TYPE, BYTES, fetch_or, old | value)                                                                       \
    FETCHING(TYPE, BYTES, fetch_xor, old ^ value)
LIBCALLS(uint8_t, 1)
LIBCALLS(uint16_t, 2)
LIBCALLS(uint32_t, 4)
LIBCALLS(uint64_t, 8)

// A load or store of a double word is one instruction.
uint64_t NAMED(load, 8)(const volatile void *word, int order);
uint64_t NAMED(load, 8)(const volatile void *word, int order) {
    (void)order;
    return *(const volatile uint64_t *)word;
}

void NAMED(store, 8)(volatile void *word, uint64_t value, int order);
void NAMED(store, 8)(volatile void *word, uint64_t value, int order) {
    (void)order;
    *(volatile uint64_t *)word = value;
}
