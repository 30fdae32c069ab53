// SPDX-License-Identifier: BSD-3-Clause
// Implements the machine contract for a job of one PE, which is an ordinary process. This is the smallest machine that
// passes the OpenSHMEM tests with one PE. A new machine can begin as a copy of it (README.md). The operations that
// concern other PEs do nothing, because there are no other PEs.
#ifndef SKERRY_MACHINE_EXAMPLE_MACHINE_H
#define SKERRY_MACHINE_EXAMPLE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKERRY_CONFIG_HEADER "example.h" // in src/config

// -- Macros: what this machine has -------------------------------------------------------------------------------------

#define SKERRY_ALWAYS_INLINE extern __inline__ __attribute__((gnu_inline, always_inline))
#ifndef SKERRY_NORETURN
#define SKERRY_NORETURN __attribute__((noreturn))
#endif
#ifndef SKERRY_COLD
#define SKERRY_COLD
#endif
#define SKERRY_PRIVATE __attribute__((visibility("hidden")))
#define SKERRY_PER_THREAD // empty: a PE has one thread
#define SKERRY_LINE 64
#define SKERRY_FALSE_SHARING_RANGE 64

#define SKERRY_PES_MAX 1
#define SKERRY_THREADS 0
#define SKERRY_THREAD_NUMBERS 1
#define SKERRY_ONE_PROGRAM 1
#define SKERRY_BEGUN_COPIES 0      // no engine copies while the PE computes
#define SKERRY_PRIVATE_MEMORY 0    // no other PE has memory that this PE cannot access
#define SKERRY_OWN_STORES_FIRST 1  // a PE always sees its own stores
#define SKERRY_HARDWARE_BARRIER 0  // a job of one PE needs no barrier
#define SKERRY_CAN_CHECK 0         // oshcc --check is not supported here
#define SKERRY_INTERRUPT_NUMBERS 0 // no interrupts: no other PE could raise one
#define SKERRY_REQUEST_PARTS 0     // no requests: no other PE could send one
#define SKERRY_PROGRAMS_MAX 0      // the only PE cannot start programs as other PEs

typedef uint64_t skerry_word;
#define SKERRY_LOAD_ACQUIRE(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)

#include "../defaults/no_hardware_barrier.h"
#include "../defaults/no_launcher.h"
#include "../defaults/own_processor.h"

// -- Who and where -----------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE int skerry_my_pe(void) {
    return 0;
}

SKERRY_ALWAYS_INLINE int skerry_pe_count(void) {
    return 1;
}

SKERRY_ALWAYS_INLINE int skerry_times(int rank, int stride) {
    return rank * stride;
}

// With one PE every address is a global address.
SKERRY_ALWAYS_INLINE void *skerry_global(const volatile void *symmetric, int pe) {
    (void)pe;
    return (void *)symmetric;
}

SKERRY_ALWAYS_INLINE void *skerry_localize(const volatile void *global) {
    return (void *)global;
}

SKERRY_ALWAYS_INLINE int skerry_owner(const volatile void *global) {
    (void)global;
    return 0;
}

bool skerry_is_symmetric(const volatile void *address, size_t bytes);

// -- Order: the one thread of the one PE sees its own accesses in program order ----------------------------------------

SKERRY_ALWAYS_INLINE void skerry_compiler_fence(void) {
    __asm__ volatile("" ::: "memory");
}

SKERRY_ALWAYS_INLINE void skerry_fence(void) {
    skerry_compiler_fence();
}

SKERRY_ALWAYS_INLINE void skerry_quiet(void) {
    skerry_compiler_fence();
}

SKERRY_ALWAYS_INLINE bool skerry_fence_everywhere(void) {
    return true;
}

SKERRY_ALWAYS_INLINE void skerry_complete_puts(void) {
}

SKERRY_ALWAYS_INLINE bool skerry_nothing_to_complete(void) {
    return true;
}

// -- Wait --------------------------------------------------------------------------------------------------------------

// A wait calls this function if its first poll fails. No other PE exists that could change the word, so the wait would
// never end. The function ends the job with an error message.
void skerry_pause(struct skerry_pause *pause, int owner);

// -- Copy --------------------------------------------------------------------------------------------------------------

void skerry_copy(void *dest, const void *source, size_t bytes);
#include "../defaults/one_copy.h"
#include "../defaults/one_node.h"

SKERRY_ALWAYS_INLINE void skerry_put(void *dest, const void *source, size_t bytes, int pe) {
    (void)pe;
    skerry_copy(dest, source, bytes);
}

// Reads memory again at each call, because a program is allowed to poll by gets. The compiler fence keeps the compiler
// from using the value of an earlier call.
SKERRY_ALWAYS_INLINE void skerry_get(void *dest, const void *source, size_t bytes, int pe) {
    (void)pe;
    skerry_compiler_fence();
    skerry_copy(dest, source, bytes);
}

SKERRY_ALWAYS_INLINE void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe) {
    skerry_put(dest, source, bytes, pe);
}

SKERRY_ALWAYS_INLINE void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    skerry_get(dest, source, bytes, pe);
}

void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);
void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);

#define skerry_put_value(TYPE, dest, value, pe) ((void)(pe), (void)(*(volatile TYPE *)(dest) = (value)))
#define skerry_get_value(TYPE, source, pe) ((void)(pe), *(const volatile TYPE *)(source))

// -- Atomics -----------------------------------------------------------------------------------------------------------

#define SKERRY_EXAMPLE_FETCHING(BITS, NAME, BUILTIN)                                                                   \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_fetch_##NAME##_##BITS(void *word, uint##BITS##_t value,          \
                                                                            int pe) {                                  \
        (void)pe;                                                                                                      \
        return BUILTIN((uint##BITS##_t *)word, value, __ATOMIC_ACQ_REL);                                               \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_##NAME##_##BITS(void *word, uint##BITS##_t value, int pe) {                \
        (void)skerry_atomic_fetch_##NAME##_##BITS(word, value, pe);                                                    \
    }

#define SKERRY_EXAMPLE_ATOMICS(BITS)                                                                                   \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_load_##BITS(const volatile void *word, int pe) {                 \
        (void)pe;                                                                                                      \
        return __atomic_load_n((const volatile uint##BITS##_t *)word, __ATOMIC_ACQUIRE);                               \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_store_##BITS(void *word, uint##BITS##_t value, int pe) {                   \
        (void)pe;                                                                                                      \
        __atomic_store_n((uint##BITS##_t *)word, value, __ATOMIC_RELEASE);                                             \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_swap_##BITS(void *word, uint##BITS##_t value, int pe) {          \
        (void)pe;                                                                                                      \
        return __atomic_exchange_n((uint##BITS##_t *)word, value, __ATOMIC_ACQ_REL);                                   \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_compare_swap_##BITS(void *word, uint##BITS##_t expected,         \
                                                                          uint##BITS##_t value, int pe) {              \
        (void)pe;                                                                                                      \
        __atomic_compare_exchange_n((uint##BITS##_t *)word, &expected, value, false, __ATOMIC_ACQ_REL,                 \
                                    __ATOMIC_ACQUIRE);                                                                 \
        return expected;                                                                                               \
    }                                                                                                                  \
    SKERRY_EXAMPLE_FETCHING(BITS, add, __atomic_fetch_add)                                                             \
    SKERRY_EXAMPLE_FETCHING(BITS, and, __atomic_fetch_and)                                                             \
    SKERRY_EXAMPLE_FETCHING(BITS, or, __atomic_fetch_or)                                                               \
    SKERRY_EXAMPLE_FETCHING(BITS, xor, __atomic_fetch_xor)
SKERRY_EXAMPLE_ATOMICS(32)
SKERRY_EXAMPLE_ATOMICS(64)
#include "../defaults/put_signal.h"

SKERRY_ALWAYS_INLINE void skerry_store_release(skerry_word *word, skerry_word value, int pe) {
    skerry_atomic_store_64(word, value, pe);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_32(uint32_t *word, uint32_t value, int pe) {
    skerry_atomic_store_32(word, value, pe);
}

// Two stores are enough: there is no other PE that could see one value without the other.
SKERRY_ALWAYS_INLINE void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int pe) {
    skerry_atomic_store_32(words, first, pe);
    skerry_atomic_store_32(words + 1, second, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count(skerry_word *word, skerry_word value, int pe) {
    return skerry_atomic_fetch_add_64(word, value, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count_and_wake(skerry_word *word, skerry_word value, int pe) {
    return skerry_atomic_fetch_add_64(word, value, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_poll(const skerry_word *word, int pe) {
    return skerry_atomic_load_64(word, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_claim(skerry_word *word, skerry_word expected, skerry_word value,
                                                     int pe) {
    return skerry_atomic_compare_swap_64(word, expected, value, pe);
}

SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_claim_32(void *word, uint32_t expected, uint32_t value, int pe) {
    return skerry_atomic_compare_swap_32(word, expected, value, pe);
}

// -- Time --------------------------------------------------------------------------------------------------------------

uint64_t skerry_ticks(void); // nanoseconds

SKERRY_ALWAYS_INLINE uint64_t skerry_ticks_per_second(void) {
    return 1000000000;
}

// -- Memory ------------------------------------------------------------------------------------------------------------

void *skerry_heap_memory(size_t *bytes);
void *skerry_system_memory(size_t *bytes);
void *skerry_shared_memory(size_t *bytes);

SKERRY_ALWAYS_INLINE void *skerry_table_memory(size_t *bytes) {
    *bytes = 0; // this machine has no table memory
    return NULL;
}

SKERRY_ALWAYS_INLINE bool skerry_is_outside(const volatile void *address) {
    (void)address;
    return false;
}

SKERRY_ALWAYS_INLINE uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value) {
    return skerry_atomic_compare_swap_64(word, expected, value, 0);
}

SKERRY_ALWAYS_INLINE void skerry_outside_get(void *dest, const void *source, size_t bytes) {
    skerry_copy(dest, source, bytes);
}

SKERRY_ALWAYS_INLINE void skerry_note_stores(const volatile void *address, int pe) {
    (void)address;
    (void)pe;
}

SKERRY_ALWAYS_INLINE void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner) {
    (void)bytes;
    *owner = 0;
    return (void *)address;
}

#endif
