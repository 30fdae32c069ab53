// SPDX-License-Identifier: BSD-3-Clause
// Defines the atomic operations on words of 32 and 64 bits.
//
// 32 bits: the memory that has the word performs the AMO, LR or SC, and the core waits for the answer. The bits aq and
// rl order the operation after all earlier stores of this core, to whatever memory, and before its later accesses. A
// compare-and-swap needs two round trips, LR and SC. If the owner of the word changed it by compare-and-swap in a loop, in
// its own memory and without a round trip, the SC of another core would never succeed. So compare-and-swaps also hold a
// lock in the memory of the word, and the owner waits for the other core.
//
// 64 bits: the core has no such instructions, so an operation holds another lock, which lies in the same core's memory
// as the word. It stores the new value and then releases the lock, by a second store to the same core. Such stores stay in
// order, so a core that sees the lock free also sees the new value. A core masks interrupts while it holds a lock:
// otherwise a handler that wants the lock would wait for ever for the code that it interrupted. A load holds no lock,
// because one instruction loads the whole word. So a put of the word is atomic with respect to loads only, which is what
// the contract demands.
#ifndef SKERRY_MACHINE_RISCV_ATOMIC_WORD_H
#define SKERRY_MACHINE_RISCV_ATOMIC_WORD_H

#define SKERRY_RISCV_AMO(NAME, INSTRUCTION)                                                                            \
    SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_##NAME##_32(void *word, uint32_t value, int pe) {                      \
        uint32_t *there = (uint32_t *)skerry_global(word, pe), old;                                                    \
        __asm__ volatile(INSTRUCTION ".w.aqrl %0, %2, %1" : "=r"(old), "+A"(*there) : "r"(value) : "memory");          \
        return old;                                                                                                    \
    }
SKERRY_RISCV_AMO(swap, "amoswap")
SKERRY_RISCV_AMO(fetch_add, "amoadd")
SKERRY_RISCV_AMO(fetch_and, "amoand")
SKERRY_RISCV_AMO(fetch_or, "amoor")
SKERRY_RISCV_AMO(fetch_xor, "amoxor")

uint32_t skerry_atomic_compare_swap_32(void *word, uint32_t expected, uint32_t value, int pe);

// A plain store: it arrives after this core's earlier stores to the same core.
SKERRY_ALWAYS_INLINE void skerry_atomic_store_32(void *word, uint32_t value, int pe) {
    __asm__ volatile("" ::: "memory");
    *(volatile uint32_t *)skerry_global(word, pe) = value;
}

uint64_t skerry_atomic_swap_64(void *word, uint64_t value, int pe);
uint64_t skerry_atomic_compare_swap_64(void *word, uint64_t expected, uint64_t value, int pe);
uint64_t skerry_atomic_fetch_add_64(void *word, uint64_t value, int pe);
uint64_t skerry_atomic_fetch_and_64(void *word, uint64_t value, int pe);
uint64_t skerry_atomic_fetch_or_64(void *word, uint64_t value, int pe);
uint64_t skerry_atomic_fetch_xor_64(void *word, uint64_t value, int pe);
void skerry_atomic_store_64(void *word, uint64_t value, int pe);

#define SKERRY_RISCV_LOAD(BITS)                                                                                        \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_load_##BITS(const volatile void *word, int pe) {                 \
        uint##BITS##_t value;                                                                                          \
        skerry_load_word(&value, skerry_global(word, pe), sizeof value);                                               \
        return value;                                                                                                  \
    }
SKERRY_RISCV_LOAD(32)
SKERRY_RISCV_LOAD(64)
#include "../defaults/plain_atomics.h"

#endif
