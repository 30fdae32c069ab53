// SPDX-License-Identifier: BSD-3-Clause
// Defines the atomic operations on words of 32 and 64 bits.
//
// 32 bits:
// * The memory that contains the word performs the instruction AMO, LR or SC, and the core waits for the answer.
// * The bits aq and rl order the operation after all earlier stores of this core, in all memories, and before the
//   core's later accesses.
// * A compare-and-swap needs two round trips, one for LR and one for SC. An owner of the word that also changes it by
//   compare-and-swaps needs no round trip. The owner could end another core's reservation each time, and the other
//   core's SC would never succeed. So compare-and-swaps also hold a lock in the memory of the word, and the owner waits
//   for the other core.
//
// 64 bits:
// * The core has no atomic instructions for 64 bits. An operation holds a second lock, which is in the same core's
//   memory as the word.
// * The operation stores the new value and then releases the lock by a second store to the same core. Such stores stay
//   in order. So a core that sees the lock free also sees the new value.
// * A core masks interrupts while it holds a lock. If not, a handler that needs the same lock would wait for ever for
//   the code that it interrupted.
// * A load holds no lock, because one instruction loads the whole word. So a put of the word is atomic only with
//   respect to loads, which is all that the contract requires.
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
uint32_t skerry_atomic_swap_upper_32(void *word, uint32_t value, int pe);

// Stores by a plain store, which arrives after this core's earlier stores to the same core.
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
