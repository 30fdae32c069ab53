// SPDX-License-Identifier: BSD-3-Clause
// Atomics. TESTSET is the chip's one atomic instruction, so a word is changed under a lock: a word in the memory of the
// target's own core, one for each width, so that operations on different cores never meet.
//
// Who owns what: whoever has set the lock owns all words of that width on that core as far as atomics go. The store of the
// new value and the one that releases the lock go to the same core one after the other, and stores of one core to another
// stay in order: who sees the lock free sees the value. TESTSET and loads wait for their answer. Interrupts are masked
// while the lock is held: a handler that wants it would wait for the code it has interrupted.
#include "internal.h"

static uint32_t lock_32;
static uint32_t lock_64;

static volatile uint32_t *take(uint32_t *lock, int pe) {
    volatile uint32_t *there = skerry_global(lock, pe);
    uint32_t before;
    do {
        before = 1;
        __asm__ volatile("testset %0, [%1, %2]" : "+r"(before) : "r"(there), "r"(0) : "memory", "cc");
    } while (before != 0);
    return there;
}

static void give(volatile uint32_t *lock) {
    skerry_compiler_fence();
    *lock = 0;
}

// `old` is the word before; NEW is what it becomes, and UPDATES whether it changes at all.
#define DEFINE(BITS, NAME, ARGUMENTS, NEW, UPDATES)                                                                    \
    uint##BITS##_t skerry_atomic_##NAME##_##BITS ARGUMENTS {                                                           \
        uint32_t mask = skerry_mask_interrupts();                                                                      \
        volatile uint32_t *lock = take(&lock_##BITS, pe);                                                              \
        volatile uint##BITS##_t *there = skerry_global(word, pe);                                                      \
        uint##BITS##_t old = *there;                                                                                   \
        if (UPDATES) *there = (NEW);                                                                                   \
        give(lock);                                                                                                    \
        skerry_unmask_interrupts(mask);                                                                                \
        skerry_note_written(pe);                                                                                       \
        return old;                                                                                                    \
    }

#define ATOMICS(BITS)                                                                                                  \
    void skerry_atomic_store_##BITS(void *word, uint##BITS##_t value, int pe) {                                        \
        uint32_t mask = skerry_mask_interrupts();                                                                      \
        volatile uint32_t *lock = take(&lock_##BITS, pe);                                                              \
        *(volatile uint##BITS##_t *)skerry_global(word, pe) = value;                                                   \
        give(lock);                                                                                                    \
        skerry_unmask_interrupts(mask);                                                                                \
        skerry_note_written(pe);                                                                                       \
    }                                                                                                                  \
    DEFINE(BITS, compare_swap, (void *word, uint##BITS##_t expected, uint##BITS##_t value, int pe), value,             \
           old == expected)                                                                                            \
    DEFINE(BITS, swap, (void *word, uint##BITS##_t value, int pe), value, true)                                        \
    DEFINE(BITS, fetch_add, (void *word, uint##BITS##_t value, int pe), old + value, true)                             \
    DEFINE(BITS, fetch_and, (void *word, uint##BITS##_t value, int pe), old &value, true)                              \
    DEFINE(BITS, fetch_or, (void *word, uint##BITS##_t value, int pe), old | value, true)                              \
    DEFINE(BITS, fetch_xor, (void *word, uint##BITS##_t value, int pe), old ^ value, true)
ATOMICS(32)
ATOMICS(64)
