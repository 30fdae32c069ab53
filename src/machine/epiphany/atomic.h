// SPDX-License-Identifier: BSD-3-Clause
// Defines the atomic operations. TESTSET is the chip's only atomic instruction, so an atomic operation changes its word
// under a lock. Each core has two locks in its memory, one for its words of 32 bits and one for its words of 64 bits.
// So operations on words of different cores use different locks.
//
// Why the operations are atomic:
// * A core changes a word by an atomic operation only while it holds the lock for words of this width in the same
//   memory.
// * The core stores the new value and then releases the lock by a second store to the same memory. Stores of one core
//   to another core stay in order. So a core that sees the lock free also sees the new value.
// * TESTSET and loads wait for their answers. So the old value is loaded after the lock was acquired.
//
// The compiler is allowed to inline these functions. An atomic operation takes two round trips to the other core. An
// ordinary call, which saves registers, would add the time of half a round trip. A compiler that optimises for size
// calls the functions of atomic.c instead.
#ifndef SKERRY_MACHINE_EPIPHANY_ATOMIC_H
#define SKERRY_MACHINE_EPIPHANY_ATOMIC_H

extern uint32_t skerry_lock_32;
extern uint32_t skerry_lock_64;

// Acquires the lock, with interrupts masked. Returns the previous interrupt mask, for skerry_unmask_interrupts. A
// handler that interrupted the holder of the lock, and needed the same lock, would wait for ever. So interrupts are
// masked while this core holds the lock. While another core holds the lock, interrupts are enabled, so that this core
// still runs requests.
SKERRY_ALWAYS_INLINE uint32_t skerry_take_lock(volatile uint32_t *lock) {
    for (;;) {
        uint32_t mask = skerry_mask_interrupts();
        uint32_t before = 1;
        __asm__ volatile("testset %0, [%1, %2]" : "+r"(before) : "r"(lock), "r"(0) : "memory", "cc");
        if (__builtin_expect(before == 0, 1)) return mask;
        skerry_unmask_interrupts(mask);
    }
}

// Releases the lock of PE `pe` and restores the interrupt mask `mask`. Records that this core has stored to that PE's
// memory, so that skerry_quiet waits for the stores.
SKERRY_ALWAYS_INLINE void skerry_give_lock(volatile uint32_t *lock, uint32_t mask, int pe) {
    skerry_compiler_fence();
    *lock = 0;
    skerry_unmask_interrupts(mask);
    skerry_note_written(pe);
}

// Defines the operation NAME, which returns the word's previous value. NEW is the expression for the value to store.
// UPDATES is the condition under which this value is stored. Both can use `old`, the previous value.
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

// Always inlined, because only locks use it, in one place.
SKERRY_EPIPHANY_ATOMIC(SKERRY_ALWAYS_INLINE, 32, swap_upper, (void *word, uint32_t value, int pe),
                       (old & 0xffffu) | (value & 0xffff0000u), true)

#endif
