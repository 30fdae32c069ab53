// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the compiler calls for C's atomic operations, because the core has no instructions for
// them. The functions mask interrupts, so they are atomic only with respect to interrupts of this core. A word that
// other PEs change needs shmem_atomic_* instead. A load or store of a double word is one instruction, so these two
// functions mask nothing.
#include "internal.h"

#define NAME2(NAME, BYTES) __atomic_##NAME##_##BYTES
#define NAMED(NAME, BYTES) NAME2(NAME, BYTES)
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

#define FETCHING(TYPE, BYTES, NAME, NEW)                                                                               \
    TYPE NAMED(NAME, BYTES)(volatile void *word, TYPE value, int order);                                               \
    TYPE NAMED(NAME, BYTES)(volatile void *word, TYPE value, int order) {                                              \
        (void)order;                                                                                                   \
        volatile TYPE *at = word;                                                                                      \
        uint32_t mask = skerry_mask_interrupts();                                                                      \
        TYPE old = *at;                                                                                                \
        *at = (TYPE)(NEW);                                                                                             \
        skerry_unmask_interrupts(mask);                                                                                \
        return old;                                                                                                    \
    }

#define LIBCALLS(TYPE, BYTES)                                                                                          \
    bool NAMED(compare_exchange, BYTES)(volatile void *word, void *expected, TYPE value, int success, int failure);    \
    bool NAMED(compare_exchange, BYTES)(volatile void *word, void *expected, TYPE value, int success, int failure) {   \
        (void)success;                                                                                                 \
        (void)failure;                                                                                                 \
        volatile TYPE *at = word;                                                                                      \
        uint32_t mask = skerry_mask_interrupts();                                                                      \
        TYPE old = *at;                                                                                                \
        bool equal = old == *(TYPE *)expected;                                                                         \
        if (equal) *at = value;                                                                                        \
        skerry_unmask_interrupts(mask);                                                                                \
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
