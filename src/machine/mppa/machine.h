// SPDX-License-Identifier: BSD-3-Clause
// Defines the machine whose PEs are the clusters of an MPPA. The cores of a cluster share a memory; they are the threads of
// the PE. All other PEs are far: their memories are reached only through the cluster's DMA unit, which sends packets over
// the data network. docs/design/mppa-machine.md has the protocols.
#ifndef SKERRY_MACHINE_MPPA_MACHINE_H
#define SKERRY_MACHINE_MPPA_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKERRY_CONFIG_HEADER "mppa.h" // in src/config

#define SKERRY_ALWAYS_INLINE extern __inline__ __attribute__((gnu_inline, always_inline))
#ifndef SKERRY_NORETURN
#define SKERRY_NORETURN __attribute__((noreturn))
#endif
#define SKERRY_PRIVATE
#ifndef SKERRY_COLD
#define SKERRY_COLD
#endif

#define SKERRY_LINE 8 // there is no data cache; 8 bytes is the widest access
#define SKERRY_FALSE_SHARING_RANGE 8
#define SKERRY_HARDWARE_BARRIER 0
#define SKERRY_OWN_STORES_FIRST 1
#define SKERRY_THREAD_NUMBERS 16

typedef uint32_t skerry_word;
#define SKERRY_PER_THREAD __thread
#define SKERRY_CAN_CHECK 0
#define SKERRY_THREADS 1
#define SKERRY_PRIVATE_MEMORY 0
#define SKERRY_BEGUN_COPIES 0
#define SKERRY_ONE_PROGRAM 1 // all PEs run one program
#define SKERRY_FAR_PES 1
#define SKERRY_FAR_MESSAGES 1
#define SKERRY_FAR_WATCHES 1
#define SKERRY_FAR_MESSAGE_MAX 1024
#define SKERRY_FAR_ANSWER_MAX 192
#define SKERRY_FAR_REPLY_MAX 56    // one packet (jobs.h)
#define SKERRY_FAR_COPIED_MAX 191u // larger puts, and puts of more blocks, are sent by a micro-core (transfer.c)
#define SKERRY_FAR_BLOCKS_MIN 3u
#define SKERRY_FAR_COPIED_BLOCKS_MAX 767u
#define SKERRY_INTERRUPT_NUMBERS 8
#define SKERRY_REQUEST_PARTS 1
#define SKERRY_CALL_HEADER "mppa/call.h"
#define SKERRY_PROGRAMS_MAX (SKERRY_PES_MAX - 1)
#define SKERRY_PROGRAMS_HERTZ 500000000 // skerry_ticks are cycles of this clock
#define SKERRY_COMMON_BASE 0xa8000000u  // SKERRY_MPPA_COMMON_MEMORY

#include "../riscv/load_acquire.h"

#include "../defaults/no_hardware_barrier.h"
#include "../defaults/no_launcher.h"
#include "../defaults/own_processor.h"

#include "noc.h"
#include "place.h"

// -- Programs (programs.c) ---------------------------------------------------------------------------------------------

// Not 0: the job has several programs. skerry-sim sets it in the memory of each PE before the PE's program starts.
extern uint32_t skerry_is_of_programs;

SKERRY_ALWAYS_INLINE bool skerry_has_programs(void) {
    return skerry_is_of_programs != 0;
}

SKERRY_ALWAYS_INLINE void skerry_yield(void) {
}

SKERRY_ALWAYS_INLINE void skerry_job_leave_all(void) {
}

// -- Threads: the cores of the cluster ---------------------------------------------------------------------------------

// skerry_thread_number and skerry_thread_identity are in core.c: only rarely called routines use them.
int skerry_thread_number(void);
uintptr_t skerry_thread_identity(void);

// -- Order -------------------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_compiler_fence(void) {
    __asm__ volatile("" ::: "memory");
}

// 1 after a thread of this PE has started an operation on a far PE.
extern volatile uint32_t skerry_has_far_operations;
void skerry_far_fence(void);
void skerry_far_quiet(void);

// The stores of a core to the cluster's memory are performed in program order, and all cores see a store at the same time.
SKERRY_ALWAYS_INLINE void skerry_fence(void) {
    __asm__ volatile("fence rw, rw" ::: "memory");
    if (skerry_has_far_operations) skerry_far_fence();
}

SKERRY_ALWAYS_INLINE void skerry_quiet(void) {
    __asm__ volatile("fence rw, rw" ::: "memory");
    if (skerry_has_far_operations) skerry_far_quiet();
}

SKERRY_ALWAYS_INLINE void skerry_complete_puts(void) {
    skerry_quiet();
}

SKERRY_ALWAYS_INLINE bool skerry_nothing_to_complete(void) {
    return skerry_has_far_operations == 0;
}

SKERRY_ALWAYS_INLINE bool skerry_fence_everywhere(void) {
    return false;
}

// Contexts share the completion of operations: each wait for one context also waits for the others.
SKERRY_ALWAYS_INLINE void skerry_use_context(uint32_t context, int pe) {
    (void)context;
    (void)pe;
}

SKERRY_ALWAYS_INLINE void skerry_fence_of(uint32_t context) {
    (void)context;
    skerry_fence();
}

SKERRY_ALWAYS_INLINE void skerry_quiet_of(uint32_t context) {
    (void)context;
    skerry_quiet();
}

// -- Requests: the server runs their handlers (requests.c) -------------------------------------------------------------

// Only programs with handlers contain requests.c.
uint32_t skerry_mask_requests(void) __attribute__((weak));
void skerry_unmask_requests(void) __attribute__((weak));
bool skerry_run_requests(void) __attribute__((weak));

SKERRY_ALWAYS_INLINE uint32_t skerry_mask_interrupts(void) {
    return skerry_mask_requests ? skerry_mask_requests() : 0;
}

SKERRY_ALWAYS_INLINE void skerry_unmask_interrupts(uint32_t mask) {
    (void)mask;
    if (skerry_unmask_requests) skerry_unmask_requests();
}

SKERRY_ALWAYS_INLINE bool skerry_progress_now(void) {
    return skerry_run_requests && skerry_run_requests();
}

SKERRY_ALWAYS_INLINE void skerry_accept_requests(void) {
}

// -- Nodes: each PE is one ---------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE int skerry_node_count(void) {
    return skerry_facts.pe_count;
}

SKERRY_ALWAYS_INLINE int skerry_node_of(int pe) {
    return pe;
}

SKERRY_ALWAYS_INLINE int skerry_node_first(int node) {
    return node;
}

// -- Wait: a core has nothing else to do, and nobody needs to be woken -------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_pause(struct skerry_pause *pause, int owner) {
    (void)pause;
    (void)owner;
}

// -- Copy --------------------------------------------------------------------------------------------------------------

// Copies within this PE's memory (copy.c).
void skerry_copy(void *dest, const void *source, size_t bytes);

SKERRY_ALWAYS_INLINE void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all) {
    (void)all;
    skerry_copy(dest, source, bytes);
}

// Copies at most SKERRY_MPPA_SHORT_BYTES bytes if their number and both addresses are multiples of 8 or 4.
#define SKERRY_MPPA_SHORT_BYTES 64
SKERRY_ALWAYS_INLINE bool skerry_copy_short(void *dest, const void *source, size_t bytes) {
    typedef uint32_t __attribute__((may_alias)) word;
    typedef double __attribute__((may_alias)) double_word;
    const uintptr_t low_bits = (uintptr_t)dest | (uintptr_t)source | bytes;
    if (bytes > SKERRY_MPPA_SHORT_BYTES) return false;
    if ((low_bits & 7) == 0) {
        const double_word *from = (const double_word *)source;
        const double_word *const end = (const double_word *)((const char *)source + bytes);
        for (volatile double_word *to = (volatile double_word *)dest; from < end; to++, from++) *to = *from;
        return true;
    }
    if ((low_bits & 3) != 0) return false;
    const word *from = (const word *)source;
    const word *const end = (const word *)((const char *)source + bytes);
    for (volatile word *to = (volatile word *)dest; from < end; to++, from++) *to = *from;
    return true;
}

// Puts and gets of a far PE (transfer.c). They end the job with a message if there is no such PE.
void skerry_far_put(void *dest, const void *source, size_t bytes, int pe);
void skerry_far_get(void *dest, const void *source, size_t bytes, int pe);
void skerry_far_put_nbi(void *dest, const void *source, size_t bytes, int pe);
void skerry_far_get_nbi(void *dest, const void *source, size_t bytes, int pe);

SKERRY_ALWAYS_INLINE void skerry_put(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_is_near(pe)) skerry_copy(skerry_localize(dest), source, bytes);
    else skerry_far_put(dest, source, bytes, pe);
}

SKERRY_ALWAYS_INLINE void skerry_get(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_is_near(pe)) skerry_copy(dest, skerry_localize(source), bytes);
    else skerry_far_get(dest, source, bytes, pe);
}

SKERRY_ALWAYS_INLINE void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_is_near(pe)) skerry_copy(skerry_localize(dest), source, bytes);
    else skerry_far_put_nbi(dest, source, bytes, pe);
}

SKERRY_ALWAYS_INLINE void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_is_near(pe)) skerry_copy(dest, skerry_localize(source), bytes);
    else skerry_far_get_nbi(dest, source, bytes, pe);
}

SKERRY_ALWAYS_INLINE void skerry_copy_to(void *dest, const void *source, size_t bytes, int pe) {
    skerry_put(dest, source, bytes, pe);
}

void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);
void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);

void skerry_put_and_signal(void *dest, const void *source, size_t bytes, skerry_word *signal, skerry_word value,
                           bool adds, int pe);

// Puts of one word of a far PE: 8 bytes, and 1, 2 or 4 bytes, the lowest of `value`.
void skerry_far_put_64(void *dest, uint64_t value, int pe);
void skerry_far_put_32(void *dest, uint32_t value, size_t bytes, int pe);

// Without optimisation, compilers warn of the branches for words of other sizes, which are never executed.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstringop-overread"
#pragma GCC diagnostic ignored "-Wstringop-overflow"

SKERRY_ALWAYS_INLINE void skerry_far_put_word(void *dest, const void *word, size_t bytes, int pe) {
    if (bytes == 8) {
        uint64_t value;
        __builtin_memcpy(&value, word, sizeof value);
        skerry_far_put_64(dest, value, pe);
    } else if (bytes <= 4) {
        uint32_t value = 0;
        __builtin_memcpy(&value, word, bytes);
        skerry_far_put_32(dest, value, bytes, pe);
    } else {
        skerry_far_put(dest, word, bytes, pe);
    }
}

#pragma GCC diagnostic pop

#define skerry_put_value(TYPE, dest, value, pe)                                                                        \
    do {                                                                                                               \
        TYPE skerry_stored = (value);                                                                                  \
        if (skerry_is_near(pe))                                                                                        \
            skerry_store_word(skerry_localize(dest), (void *)&skerry_stored, sizeof skerry_stored);                    \
        else skerry_far_put_word(dest, (void *)&skerry_stored, sizeof skerry_stored, pe);                              \
    } while (0)
#define skerry_get_value(TYPE, source, pe)                                                                             \
    __extension__({                                                                                                    \
        TYPE skerry_loaded;                                                                                            \
        if (skerry_is_near(pe))                                                                                        \
            skerry_load_word((void *)&skerry_loaded, skerry_localize(source), sizeof skerry_loaded);                   \
        else skerry_far_get((void *)&skerry_loaded, source, sizeof skerry_loaded, pe);                                 \
        skerry_loaded;                                                                                                 \
    })

// -- Atomics -----------------------------------------------------------------------------------------------------------

#include "atomics.h"
#include "../defaults/put_signal.h"

SKERRY_ALWAYS_INLINE void skerry_store_release(skerry_word *word, skerry_word value, int pe) {
    skerry_atomic_store_32(word, value, pe);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_32(uint32_t *word, uint32_t value, int pe) {
    skerry_atomic_store_32(word, value, pe);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int pe) {
    uint64_t pair = (uint64_t)second << 32 | first;
    skerry_compiler_fence();
    skerry_put_value(uint64_t, words, pair, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count(skerry_word *word, skerry_word value, int pe) {
    return skerry_atomic_fetch_add_32(word, value, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_count_and_wake(skerry_word *word, skerry_word value, int pe) {
    return skerry_atomic_fetch_add_32(word, value, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_poll(const skerry_word *word, int pe) {
    return skerry_atomic_load_32(word, pe);
}

SKERRY_ALWAYS_INLINE skerry_word skerry_atomic_claim(skerry_word *word, skerry_word expected, skerry_word value,
                                                     int pe) {
    return skerry_atomic_compare_swap_32(word, expected, value, pe);
}

SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_claim_32(void *word, uint32_t expected, uint32_t value, int pe) {
    return skerry_atomic_compare_swap_32(word, expected, value, pe);
}

// -- Time --------------------------------------------------------------------------------------------------------------

uint64_t skerry_ticks(void); // cycles
uint64_t skerry_ticks_per_second(void);

// -- Memory ------------------------------------------------------------------------------------------------------------

void *skerry_heap_memory(size_t *bytes);
void *skerry_system_memory(size_t *bytes);
void *skerry_table_memory(size_t *bytes);

// Each PE is a node, so the memory of all PEs of a node is memory of this PE (shared.c).
void *skerry_shared_memory(size_t *bytes);

SKERRY_ALWAYS_INLINE bool skerry_is_outside(const volatile void *address) {
    (void)address;
    return false;
}

SKERRY_ALWAYS_INLINE uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value) {
    (void)word;
    (void)value;
    return expected;
}

SKERRY_ALWAYS_INLINE void skerry_outside_get(void *dest, const void *source, size_t bytes) {
    skerry_copy(dest, source, bytes);
}

SKERRY_ALWAYS_INLINE void skerry_note_stores(const volatile void *address, int pe) {
    (void)address;
    (void)pe;
}

#endif
