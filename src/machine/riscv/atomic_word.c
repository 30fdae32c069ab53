// SPDX-License-Identifier: BSD-3-Clause
// Defines the atomic operations that hold a lock. The lock is in the same memory as the word (atomic_word.h).
#include "internal.h"
#include "interrupt.h"

static uint32_t lock_32, lock_64;

uint32_t skerry_take_lock(volatile uint32_t *lock) {
    for (;;) {
        uint32_t mask = skerry_mask_interrupts();
        if (skerry_test_and_set(lock)) return mask;
        skerry_unmask_interrupts(mask);
    }
}

// Acquires the copy of a lock in the memory of PE `pe`. (Each PE has a copy of lock_32 and lock_64.)
static uint32_t take_lock(uint32_t *lock, int pe) {
    return skerry_take_lock(skerry_global(lock, pe));
}

static void give_lock(uint32_t *lock, int pe, uint32_t mask) {
    skerry_atomic_store_32(lock, 0, pe);
    skerry_unmask_interrupts(mask);
}

uint32_t skerry_atomic_compare_swap_32(void *word, uint32_t expected, uint32_t value, int pe) {
    uint32_t *there = skerry_global(word, pe), old, failed;
    uint32_t mask = take_lock(&lock_32, pe);
    __asm__ volatile("1: lr.w.aqrl %0, %2\n"
                     "   bne %0, %3, 2f\n"
                     "   sc.w.rl %1, %4, %2\n"
                     "   bnez %1, 1b\n"
                     "2:"
                     : "=&r"(old), "=&r"(failed), "+A"(*there)
                     : "r"(expected), "r"(value)
                     : "memory");
    give_lock(&lock_32, pe, mask);
    return old;
}

// Repeats LR and SC only if another core has changed the word by an AMO meanwhile, because compare-swaps need the lock.
uint32_t skerry_atomic_swap_upper_32(void *word, uint32_t value, int pe) {
    uint32_t *there = skerry_global(word, pe), old, after;
    uint32_t mask = take_lock(&lock_32, pe);
    __asm__ volatile("1: lr.w.aqrl %0, %2\n"
                     "   slli %1, %0, 16\n"
                     "   srli %1, %1, 16\n"
                     "   or %1, %1, %3\n"
                     "   sc.w.rl %1, %1, %2\n"
                     "   bnez %1, 1b"
                     : "=&r"(old), "=&r"(after), "+A"(*there)
                     : "r"(value & 0xffff0000u)
                     : "memory");
    give_lock(&lock_32, pe, mask);
    return old;
}

uint64_t skerry_change_64(void *there, int pe, enum skerry_change change, uint64_t expected, uint64_t value) {
    uint32_t mask = take_lock(&lock_64, pe);
    uint64_t old, after = value;
    skerry_load_word(&old, there, sizeof old);
    switch (change) {
    case SKERRY_SWAP: break;
    case SKERRY_COMPARE_SWAP: after = old == expected ? value : old; break;
    case SKERRY_ADD: after = old + value; break;
    case SKERRY_AND: after = old & value; break;
    case SKERRY_OR: after = old | value; break;
    case SKERRY_XOR: after = old ^ value; break;
    }
    skerry_store_word(there, &after, sizeof after);
    // A store to external memory and the store that releases the lock take different routes. So the first must arrive
    // before the second is sent.
    if (skerry_is_outside(there)) skerry_quiet();
    give_lock(&lock_64, pe, mask);
    return old;
}

#define ATOMIC(NAME, CHANGE)                                                                                           \
    uint64_t skerry_atomic_##NAME##_64(void *word, uint64_t value, int pe) {                                           \
        return skerry_change_64(skerry_global(word, pe), pe, CHANGE, 0, value);                                        \
    }
ATOMIC(swap, SKERRY_SWAP)
ATOMIC(fetch_add, SKERRY_ADD)
ATOMIC(fetch_and, SKERRY_AND)
ATOMIC(fetch_or, SKERRY_OR)
ATOMIC(fetch_xor, SKERRY_XOR)

uint64_t skerry_atomic_compare_swap_64(void *word, uint64_t expected, uint64_t value, int pe) {
    return skerry_change_64(skerry_global(word, pe), pe, SKERRY_COMPARE_SWAP, expected, value);
}

void skerry_atomic_store_64(void *word, uint64_t value, int pe) {
    (void)skerry_atomic_swap_64(word, value, pe);
}

uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value) {
    return skerry_change_64(word, 0, SKERRY_COMPARE_SWAP, expected, value);
}
