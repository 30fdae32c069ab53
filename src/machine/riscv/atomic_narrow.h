// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the compiler calls for atomic operations of 1 and 2 bytes. A RISC-V core of 32 bits has
// instructions only for atomic operations of 4 bytes. So an operation changes the aligned word that contains the bytes,
// by the instructions LR and SC. One file of each library includes this file.
//
// Why no plain store to a byte of the word is lost: for such a store the compiler calls no function. The store ends the
// reservation that LR has made, so SC fails and the operation is repeated.
#ifndef SKERRY_MACHINE_RISCV_ATOMIC_NARROW_H
#define SKERRY_MACHINE_RISCV_ATOMIC_NARROW_H

#include <stdbool.h>
#include <stdint.h>

#define NAME2(NAME, BYTES) __atomic_##NAME##_##BYTES
#define NAMED(NAME, BYTES) NAME2(NAME, BYTES)
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

static uint32_t *word_around(const volatile void *at) {
    return (uint32_t *)((uintptr_t)at & ~(uintptr_t)3);
}

// Returns the position of the bytes at `at` within the aligned word that contains them: the number of their lowest bit.
static unsigned shift_of(const volatile void *at) {
    return ((uintptr_t)at & 3) * 8;
}

#define NARROW_FETCHING(TYPE, BYTES, NAME, NEW)                                                                        \
    TYPE NAMED(NAME, BYTES)(volatile void *at, TYPE value, int order);                                                 \
    TYPE NAMED(NAME, BYTES)(volatile void *at, TYPE value, int order) {                                                \
        (void)order;                                                                                                   \
        uint32_t *word = word_around(at), mask = (uint32_t)(TYPE)-1 << shift_of(at);                                   \
        uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED), after;                                              \
        TYPE old;                                                                                                      \
        do {                                                                                                           \
            old = (TYPE)(before >> shift_of(at));                                                                      \
            after = (before & ~mask) | (uint32_t)(TYPE)(NEW) << shift_of(at);                                          \
        } while (!__atomic_compare_exchange_n(word, &before, after, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));        \
        return old;                                                                                                    \
    }

#define NARROW(TYPE, BYTES)                                                                                            \
    bool NAMED(compare_exchange, BYTES)(volatile void *at, void *expected, TYPE value, int success, int failure);      \
    bool NAMED(compare_exchange, BYTES)(volatile void *at, void *expected, TYPE value, int success, int failure) {     \
        (void)success;                                                                                                 \
        (void)failure;                                                                                                 \
        uint32_t *word = word_around(at), mask = (uint32_t)(TYPE)-1 << shift_of(at);                                   \
        uint32_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST), after;                                              \
        do {                                                                                                           \
            TYPE old = (TYPE)(before >> shift_of(at));                                                                 \
            if (old != *(TYPE *)expected) {                                                                            \
                *(TYPE *)expected = old;                                                                               \
                return false;                                                                                          \
            }                                                                                                          \
            after = (before & ~mask) | (uint32_t)value << shift_of(at);                                                \
        } while (!__atomic_compare_exchange_n(word, &before, after, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));        \
        return true;                                                                                                   \
    }                                                                                                                  \
    NARROW_FETCHING(TYPE, BYTES, exchange, value)                                                                      \
    NARROW_FETCHING(TYPE, BYTES, fetch_add, old + value)                                                               \
    NARROW_FETCHING(TYPE, BYTES, fetch_sub, old - value)                                                               \
    NARROW_FETCHING(TYPE, BYTES, fetch_and, old &value)                                                                \
    NARROW_FETCHING(TYPE, BYTES, fetch_or, old | value)                                                                \
    NARROW_FETCHING(TYPE, BYTES, fetch_xor, old ^ value)                                                               \
    NARROW_FETCHING(TYPE, BYTES, fetch_nand, ~(old & value))
NARROW(uint8_t, 1)
NARROW(uint16_t, 2)

#endif
