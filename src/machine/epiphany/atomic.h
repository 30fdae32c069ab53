// SPDX-License-Identifier: BSD-3-Clause
// Atomics. TESTSET is the chip's only atomic instruction, so an atomic operation changes its word under a lock. The
// locks are words in the memory of the core that owns the changed word, one for each width, so operations on words of
// different cores use different locks.
//
// Writers. The holder of a core's lock owns all words of that width on that core, as far as atomic operations are
// concerned. The store of the new value and the store that releases the lock go to the same core one after the other.
// Stores of one core to another stay in order, so a core that sees the lock free sees the value. TESTSET and loads wait
// for their answers. Interrupts are masked while this core holds the lock: otherwise a handler that wants the lock
// would wait for the code that it interrupted. While another core holds the lock, interrupts are enabled, so a waiting
// core still runs requests.
//
// An operation costs two round trips; a call with its saved registers would add half of one. So these functions are
// inline where the compiler decides that this is worth it, which it does not when it compiles for size. Otherwise they
// are functions (atomic.c).
#ifndef SKERRY_MACHINE_EPIPHANY_ATOMIC_H
#define SKERRY_MACHINE_EPIPHANY_ATOMIC_H

extern uint32_t skerry_lock_32;
extern uint32_t skerry_lock_64;

// Acquires the lock, with interrupts masked. Returns the argument for skerry_unmask_interrupts.
SKERRY_ALWAYS_INLINE uint32_t skerry_take_lock(volatile uint32_t *lock) {
    for (;;) {
        uint32_t mask = skerry_mask_interrupts();
        uint32_t before = 1;
        __asm__ volatile("testset %0, [%1, %2]" : "+r"(before) : "r"(lock), "r"(0) : "memory", "cc");
        if (__builtin_expect(before == 0, 1)) return mask;
        skerry_unmask_interrupts(mask);
    }
}

SKERRY_ALWAYS_INLINE void skerry_give_lock(volatile uint32_t *lock, uint32_t mask, int pe) {
    skerry_compiler_fence();
    *lock = 0;
    skerry_unmask_interrupts(mask);
    skerry_note_written(pe);
}

// Defines one operation. `old` is the word before, NEW the value to store, UPDATES the condition for storing it.
#define SKERRY_EPIPHANY_ATOMIC(PREFIX, BITS, NAME, ARGUMENTS, NEW, UPDATES)                                            \
    PREFIX uint##BITS##_t skerry_atomic_##NAME##_##BITS ARGUMENTS {                                                    \
        volatile uint32_t *lock = skerry_global(&skerry_lock_##BITS, pe);                                              \
        volatile uint##BITS##_t *there = skerry_global(word, pe);                                                      \
        uint32_t mask = skerry_take_lock(lock);                                                                        \
        uint##BITS##_t old = *there;                                                                                   \
        if (UPDATES) *there = (NEW);                                                                                   \
        skerry_give_lock(lock, mask, pe);                                                                              \
        return old;                                                                                                    \
    }
#define SKERRY_EPIPHANY_ATOMICS(PREFIX, BITS)                                                                          \
    SKERRY_EPIPHANY_ATOMIC(PREFIX, BITS, swap, (void *word, uint##BITS##_t value, int pe), value, true)                \
    SKERRY_EPIPHANY_ATOMIC(PREFIX, BITS, compare_swap,                                                                 \
                           (void *word, uint##BITS##_t expected, uint##BITS##_t value, int pe), value,                 \
                           old == expected)                                                                            \
    SKERRY_EPIPHANY_ATOMIC(PREFIX, BITS, fetch_add, (void *word, uint##BITS##_t value, int pe), old + value, true)     \
    SKERRY_EPIPHANY_ATOMIC(PREFIX, BITS, fetch_and, (void *word, uint##BITS##_t value, int pe), old &value, true)      \
    SKERRY_EPIPHANY_ATOMIC(PREFIX, BITS, fetch_or, (void *word, uint##BITS##_t value, int pe), old | value, true)      \
    SKERRY_EPIPHANY_ATOMIC(PREFIX, BITS, fetch_xor, (void *word, uint##BITS##_t value, int pe), old ^ value, true)     \
    PREFIX void skerry_atomic_store_##BITS(void *word, uint##BITS##_t value, int pe) {                                 \
        volatile uint32_t *lock = skerry_global(&skerry_lock_##BITS, pe);                                              \
        volatile uint##BITS##_t *there = skerry_global(word, pe);                                                      \
        uint32_t mask = skerry_take_lock(lock);                                                                        \
        *there = value;                                                                                                \
        skerry_give_lock(lock, mask, pe);                                                                              \
    }

#endif
