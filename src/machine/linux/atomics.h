// SPDX-License-Identifier: BSD-3-Clause
// Implements the contract's atomic operations on words of PEs. For a near PE (a PE of this node) they are the
// processor's instructions. For a far PE the network executes them. machine.h first defines the addresses of PEs and
// the functions that wake PEs, and then includes this file.
#ifndef SKERRY_MACHINE_LINUX_ATOMICS_H
#define SKERRY_MACHINE_LINUX_ATOMICS_H

#define SKERRY_LINUX_FAR(BITS, OPERATION, word, value, expected, pe)                                                   \
    ((uint##BITS##_t)skerry_far_atomic(SKERRY_FAR_##OPERATION, (BITS) / 8, word, value, expected, pe))

#define SKERRY_LINUX_FETCHING(BITS, NAME, OPERATION, BUILTIN)                                                          \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_fetch_##NAME##_##BITS(void *word, uint##BITS##_t value,          \
                                                                            int pe) {                                  \
        if (!skerry_is_near(pe)) return SKERRY_LINUX_FAR(BITS, FETCH_##OPERATION, word, value, 0, pe);                 \
        uint##BITS##_t old = BUILTIN((uint##BITS##_t *)skerry_global(word, pe), value, __ATOMIC_ACQ_REL);              \
        skerry_wake(pe);                                                                                               \
        return old;                                                                                                    \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_##NAME##_##BITS(void *word, uint##BITS##_t value, int pe) {                \
        if (!skerry_is_near(pe)) {                                                                                     \
            (void)SKERRY_LINUX_FAR(BITS, OPERATION, word, value, 0, pe);                                               \
            return;                                                                                                    \
        }                                                                                                              \
        (void)BUILTIN((uint##BITS##_t *)skerry_global(word, pe), value, __ATOMIC_RELEASE);                             \
        skerry_compiler_fence();                                                                                       \
        skerry_wake(pe);                                                                                               \
    }

#define SKERRY_LINUX_ATOMICS(BITS)                                                                                     \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_load_##BITS(const volatile void *word, int pe) {                 \
        if (!skerry_is_near(pe)) return SKERRY_LINUX_FAR(BITS, LOAD, word, 0, 0, pe);                                  \
        return __atomic_load_n((const uint##BITS##_t *)skerry_global(word, pe), __ATOMIC_ACQUIRE);                     \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_fetch_##BITS(const volatile void *word, int pe) {                \
        if (__builtin_expect(skerry_window(pe) < skerry_facts.load_count, 1))                                          \
            return __atomic_load_n((const uint##BITS##_t *)skerry_global(word, pe), __ATOMIC_ACQUIRE);                 \
        skerry_may_be_polling(word);                                                                                   \
        return skerry_atomic_load_##BITS(word, pe);                                                                    \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_store_##BITS(void *word, uint##BITS##_t value, int pe) {                   \
        if (!skerry_is_near(pe)) {                                                                                     \
            (void)SKERRY_LINUX_FAR(BITS, STORE, word, value, 0, pe);                                                   \
            return;                                                                                                    \
        }                                                                                                              \
        __atomic_store_n((uint##BITS##_t *)skerry_global(word, pe), value, __ATOMIC_RELEASE);                          \
        skerry_compiler_fence();                                                                                       \
        skerry_wake(pe);                                                                                               \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_swap_##BITS(void *word, uint##BITS##_t value, int pe) {          \
        if (!skerry_is_near(pe)) return SKERRY_LINUX_FAR(BITS, SWAP, word, value, 0, pe);                              \
        uint##BITS##_t old = __atomic_exchange_n((uint##BITS##_t *)skerry_global(word, pe), value, __ATOMIC_ACQ_REL);  \
        skerry_wake(pe);                                                                                               \
        return old;                                                                                                    \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_claim_##BITS(void *word, uint##BITS##_t expected,                \
                                                                   uint##BITS##_t value, int pe) {                     \
        if (!skerry_is_near(pe)) return SKERRY_LINUX_FAR(BITS, COMPARE_SWAP, word, value, expected, pe);               \
        __atomic_compare_exchange_n((uint##BITS##_t *)skerry_global(word, pe), &expected, value, false,                \
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);                                               \
        return expected;                                                                                               \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_compare_swap_##BITS(void *word, uint##BITS##_t expected,         \
                                                                          uint##BITS##_t value, int pe) {              \
        uint##BITS##_t old = skerry_atomic_claim_##BITS(word, expected, value, pe);                                    \
        if (skerry_is_near(pe)) skerry_wake(pe);                                                                       \
        return old;                                                                                                    \
    }                                                                                                                  \
    SKERRY_LINUX_FETCHING(BITS, add, ADD, __atomic_fetch_add)                                                          \
    SKERRY_LINUX_FETCHING(BITS, and, AND, __atomic_fetch_and)                                                          \
    SKERRY_LINUX_FETCHING(BITS, or, OR, __atomic_fetch_or)                                                             \
    SKERRY_LINUX_FETCHING(BITS, xor, XOR, __atomic_fetch_xor)
SKERRY_LINUX_ATOMICS(32)
SKERRY_LINUX_ATOMICS(64)

// Copies and changes the signal with one test for a near PE and one wake-up. A thread that sleeps until the data change
// is woken too: the load of `sleeping` in skerry_wake is after the stores of the data as well as after that of the signal.
SKERRY_ALWAYS_INLINE void skerry_put_signal_64(void *dest, const void *source, size_t bytes, uint64_t *signal,
                                               uint64_t value, bool adds, int pe) {
    void *there = skerry_global(dest, pe);
    uint64_t *word = (uint64_t *)skerry_global(signal, pe);
    if (skerry_is_near(pe)) {
        skerry_copy(there, source, bytes);
        if (adds) (void)__atomic_fetch_add(word, value, __ATOMIC_RELEASE);
        else __atomic_store_n(word, value, __ATOMIC_RELEASE);
        skerry_compiler_fence();
        skerry_wake(pe);
    } else {
        skerry_far_put(dest, source, bytes, pe);
        (void)skerry_far_atomic(adds ? SKERRY_FAR_ADD : SKERRY_FAR_STORE, sizeof *signal, signal, value, 0, pe);
    }
}

SKERRY_ALWAYS_INLINE void skerry_store_release(skerry_word *word, skerry_word value, int pe) {
    skerry_atomic_store_64(word, value, pe);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int pe) {
    skerry_atomic_store_64(words, (uint64_t)second << 32 | first, pe);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_32(uint32_t *word, uint32_t value, int pe) {
    skerry_atomic_store_32(word, value, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count(skerry_word *word, skerry_word value, int pe) {
    if (!skerry_is_near(pe)) return skerry_atomic_fetch_add_64(word, value, pe);
    return __atomic_fetch_add((skerry_word *)skerry_global(word, pe), value, __ATOMIC_ACQ_REL);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count_and_wake(skerry_word *word, skerry_word value, int pe) {
    return skerry_atomic_fetch_add_64(word, value, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_poll(const skerry_word *word, int pe) {
    return skerry_atomic_load_64(word, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_claim(skerry_word *word, skerry_word expected, skerry_word value,
                                                     int pe) {
    return skerry_atomic_claim_64(word, expected, value, pe);
}

#endif
