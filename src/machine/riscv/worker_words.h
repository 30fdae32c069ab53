// SPDX-License-Identifier: BSD-3-Clause
// Defines, for workers on RISC-V cores, the order of memory accesses, atomic operations, and words by which workers
// synchronise. All of them are made of the compiler's atomic operations. smp and worker_polling.h define skerry_wake
// and then include this file. The machines differ only in the stores for which the instruction `fence` waits.
#ifndef SKERRY_MACHINE_RISCV_WORKER_WORDS_H
#define SKERRY_MACHINE_RISCV_WORKER_WORDS_H

// -- Order -------------------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_compiler_fence(void) {
    __asm__ volatile("" ::: "memory");
}

SKERRY_ALWAYS_INLINE void skerry_fence(void) {
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

SKERRY_ALWAYS_INLINE void skerry_quiet(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

SKERRY_ALWAYS_INLINE bool skerry_fence_everywhere(void) {
    return false;
}

// -- Atomics and words of synchronisation ------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_load_32(const volatile void *word, int worker) {
    (void)worker;
    return __atomic_load_n((const volatile uint32_t *)word, __ATOMIC_ACQUIRE);
}

SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_claim_32(void *word, uint32_t expected, uint32_t value, int worker) {
    (void)worker;
    __atomic_compare_exchange_n((uint32_t *)word, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
}

SKERRY_ALWAYS_INLINE void skerry_store_release(skerry_word *word, skerry_word value, int worker) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    skerry_wake(worker);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_32(uint32_t *word, uint32_t value, int worker) {
    skerry_store_release(word, value, worker);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count(skerry_word *word, skerry_word value, int worker) {
    (void)worker;
    return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count_and_wake(skerry_word *word, skerry_word value, int worker) {
    const skerry_word before = skerry_atomic_count(word, value, worker);
    skerry_wake(worker);
    return before;
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_poll(const skerry_word *word, int worker) {
    (void)worker;
    return SKERRY_LOAD_ACQUIRE(word);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_claim(skerry_word *word, skerry_word expected, skerry_word value,
                                                     int worker) {
    return skerry_atomic_claim_32(word, expected, value, worker);
}

// -- Tools that watch for races: there are none ------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_publishes(const volatile void *address) {
    (void)address;
}

SKERRY_ALWAYS_INLINE void skerry_sees(const volatile void *address) {
    (void)address;
}

#endif
