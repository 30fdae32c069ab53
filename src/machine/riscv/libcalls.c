// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the compiler calls for C's atomic operations of 1, 2 and 8 bytes. The core has
// instructions only for atomic operations of 4 bytes. The functions work on words in all memories. The operations on 8
// bytes are also atomic with respect to the atomic operations of atomic_word.h.
#include "internal.h"

#include "atomic_narrow.h"

static uint64_t change_at(volatile void *at, enum skerry_change change, uint64_t expected, uint64_t value) {
    bool outside = skerry_is_outside(at);
    int owner = outside ? 0 : skerry_owner(at);
    return skerry_change_64(outside ? (void *)(uintptr_t)at : skerry_global(at, owner), owner, change, expected, value);
}

uint64_t NAMED(load, 8)(const volatile void *at, int order);
uint64_t NAMED(load, 8)(const volatile void *at, int order) {
    uint64_t value;
    (void)order;
    skerry_load_word(&value, at, sizeof value);
    return value;
}

void NAMED(store, 8)(volatile void *at, uint64_t value, int order);
void NAMED(store, 8)(volatile void *at, uint64_t value, int order) {
    (void)order;
    (void)change_at(at, SKERRY_SWAP, 0, value);
}

bool NAMED(compare_exchange, 8)(volatile void *at, void *expected, uint64_t value, int success, int failure);
bool NAMED(compare_exchange, 8)(volatile void *at, void *expected, uint64_t value, int success, int failure) {
    (void)success;
    (void)failure;
    uint64_t wanted = *(uint64_t *)expected, old = change_at(at, SKERRY_COMPARE_SWAP, wanted, value);
    *(uint64_t *)expected = old;
    return old == wanted;
}

#define FETCHING(NAME, CHANGE, VALUE)                                                                                  \
    uint64_t NAMED(NAME, 8)(volatile void *at, uint64_t value, int order);                                             \
    uint64_t NAMED(NAME, 8)(volatile void *at, uint64_t value, int order) {                                            \
        (void)order;                                                                                                   \
        return change_at(at, CHANGE, 0, VALUE);                                                                        \
    }
FETCHING(exchange, SKERRY_SWAP, value)
FETCHING(fetch_add, SKERRY_ADD, value)
FETCHING(fetch_sub, SKERRY_ADD, 0 - value)
FETCHING(fetch_and, SKERRY_AND, value)
FETCHING(fetch_or, SKERRY_OR, value)
FETCHING(fetch_xor, SKERRY_XOR, value)
