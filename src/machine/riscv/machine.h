// SPDX-License-Identifier: BSD-3-Clause
// Defines the machine whose PEs are the RISC-V cores (RV32IMAFDC) of a chip. Each core has a memory of its own, which
// other cores access by loads and stores over a mesh network. A core has no cache, no operating system, and one thread.
// A store does not wait until it arrives. A load from another core's memory waits for a round trip.
//
// The machine guarantees more than the RISC-V specification (docs/design/riscv.md):
// * Stores of one core to one other core arrive in program order.
// * A load or an atomic operation has ended before the next instruction begins.
// * An aligned access of 8 bytes (fld, fsd) is atomic.
#ifndef SKERRY_MACHINE_RISCV_MACHINE_H
#define SKERRY_MACHINE_RISCV_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKERRY_CONFIG_HEADER "riscv.h"    // in src/config
#define SKERRY_CALL_HEADER "riscv/call.h" // in src/machine

#define SKERRY_ALWAYS_INLINE extern __inline__ __attribute__((gnu_inline, always_inline))
#ifndef SKERRY_NORETURN
#define SKERRY_NORETURN __attribute__((noreturn))
#endif
#define SKERRY_PRIVATE
#ifndef SKERRY_COLD
#define SKERRY_COLD
#endif

#define SKERRY_LINE 8 // there is no cache; 8 bytes is the widest access
#define SKERRY_FALSE_SHARING_RANGE 8
#define SKERRY_PES_MAX 1024
#define SKERRY_HARDWARE_BARRIER 0
#define SKERRY_OWN_STORES_FIRST 1
#define SKERRY_THREAD_NUMBERS 1

typedef uint32_t skerry_word;
#define SKERRY_PER_THREAD
#define SKERRY_CAN_CHECK 0
#define SKERRY_THREADS 0
#define SKERRY_PRIVATE_MEMORY 0
#define SKERRY_BEGUN_COPIES 0
#define SKERRY_ONE_PROGRAM 1 // all PEs run one program: no PE uses functions that are not linked into this program
#define SKERRY_SHARED_VARIABLE __attribute__((section(".external"))) // external memory, which all cores share
#define SKERRY_EACH_PE(NAME) __attribute__((section(".skerry.each_pe." #NAME ",\"aw\",@nobits#")))

#include "load_acquire.h"

#include "../defaults/no_hardware_barrier.h"
#include "../defaults/no_launcher.h"
#include "../defaults/own_processor.h"

#include "../chip/place.h"

// -- Who and where: ../chip/place.h ------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE int skerry_times(int rank, int stride) {
    return rank * stride;
}

// -- Order -------------------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_compiler_fence(void) {
    __asm__ volatile("" ::: "memory");
}

// Orders this core's stores to the same other core. The hardware delivers such stores in program order. So the function
// only keeps the compiler from reordering them.
SKERRY_ALWAYS_INLINE void skerry_fence(void) {
    skerry_compiler_fence();
}

// Waits until all stores of this core have arrived, in all memories.
SKERRY_ALWAYS_INLINE void skerry_quiet(void) {
    __asm__ volatile("fence rw, rw" ::: "memory");
}

SKERRY_ALWAYS_INLINE void skerry_complete_puts(void) {
    skerry_quiet();
}

SKERRY_ALWAYS_INLINE bool skerry_nothing_to_complete(void) {
    return false; // not known
}

SKERRY_ALWAYS_INLINE bool skerry_fence_everywhere(void) {
    return false;
}

// -- Wait: a core has nothing else to do, and nobody needs to be woken -------------------------------------------------

SKERRY_ALWAYS_INLINE void skerry_pause(struct skerry_pause *pause, int owner) {
    (void)pause;
    (void)owner;
}

// -- Copy (copy.c) -----------------------------------------------------------------------------------------------------

void skerry_copy(void *dest, const void *source, size_t bytes);
#include "../defaults/one_copy.h"
#include "../defaults/one_node.h"

// A put is a loop of stores, which do not wait. A get is a loop of loads, each of which waits for its value.
SKERRY_ALWAYS_INLINE void skerry_put(void *dest, const void *source, size_t bytes, int pe) {
    skerry_copy(skerry_global(dest, pe), source, bytes);
}

SKERRY_ALWAYS_INLINE void skerry_get(void *dest, const void *source, size_t bytes, int pe) {
    skerry_copy(dest, skerry_global(source, pe), bytes);
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

#define skerry_put_value(TYPE, dest, value, pe)                                                                        \
    do {                                                                                                               \
        TYPE skerry_stored = (value);                                                                                  \
        skerry_store_word(skerry_global(dest, pe), (void *)&skerry_stored, sizeof skerry_stored);                      \
    } while (0)
#define skerry_get_value(TYPE, source, pe)                                                                             \
    __extension__({                                                                                                    \
        TYPE skerry_loaded;                                                                                            \
        skerry_load_word((void *)&skerry_loaded, skerry_global(source, pe), sizeof skerry_loaded);                     \
        skerry_loaded;                                                                                                 \
    })

// -- Interrupts --------------------------------------------------------------------------------------------------------

#define SKERRY_INTERRUPT_NUMBERS 8
#define SKERRY_REQUEST_PARTS 0 // a PE that waits can be interrupted, so it need not poll for requests
#define SKERRY_PROGRAMS_MAX 0

#define SKERRY_RISCV_INTERRUPTS 0x8u // bit MIE of the register mstatus: interrupts are enabled

// Masks all interrupts and returns the previous state, the argument for skerry_unmask_interrupts.
SKERRY_ALWAYS_INLINE uint32_t skerry_mask_interrupts(void) {
    uint32_t status;
    __asm__ volatile("csrrci %0, mstatus, %1" : "=r"(status) : "i"(SKERRY_RISCV_INTERRUPTS) : "memory");
    return status & SKERRY_RISCV_INTERRUPTS;
}

SKERRY_ALWAYS_INLINE void skerry_unmask_interrupts(uint32_t mask) {
    __asm__ volatile("csrs mstatus, %0" : : "r"(mask) : "memory");
}

// -- Atomics -----------------------------------------------------------------------------------------------------------

#include "atomic_word.h"
#include "../defaults/put_signal.h"

SKERRY_ALWAYS_INLINE void skerry_store_release(skerry_word *word, skerry_word value, int pe) {
    skerry_atomic_store_32(word, value, pe);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_32(uint32_t *word, uint32_t value, int pe) {
    skerry_atomic_store_32(word, value, pe);
}

SKERRY_ALWAYS_INLINE void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int pe) {
    uint32_t pair[2] = {first, second};
    skerry_compiler_fence();
    skerry_store_word(skerry_global(words, pe), pair, sizeof pair);
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
void *skerry_shared_memory(size_t *bytes);
void *skerry_table_memory(size_t *bytes);

uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value);

SKERRY_ALWAYS_INLINE void skerry_outside_get(void *dest, const void *source, size_t bytes) {
    skerry_copy(dest, source, bytes);
}

// Does nothing. Stores need not be recorded on this machine, because skerry_quiet waits for all stores.
SKERRY_ALWAYS_INLINE void skerry_note_stores(const volatile void *address, int pe) {
    (void)address;
    (void)pe;
}

#endif
