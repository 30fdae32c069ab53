// SPDX-License-Identifier: BSD-3-Clause
// Defines the Epiphany machine: the constants, types and functions that the portable code needs on this chip. Every PE
// is a core with a few tens of KB of memory, which other cores access by loads and stores. A core has no cache, no
// operating system, and one thread. A store does not wait until it arrives. A load from another core's memory waits for
// a round trip.
#ifndef SKERRY_MACHINE_EPIPHANY_MACHINE_H
#define SKERRY_MACHINE_EPIPHANY_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKERRY_CONFIG_HEADER "epiphany.h"    // in src/config
#define SKERRY_CALL_HEADER "epiphany/call.h" // in src/machine

#define SKERRY_ALWAYS_INLINE extern inline __attribute__((gnu_inline, always_inline))
#ifndef SKERRY_NORETURN
// Functions that end a program can lie in external memory. A call without the attribute long_call does not reach that
// memory.
#define SKERRY_NORETURN __attribute__((noreturn, long_call))
#endif
#define SKERRY_PRIVATE
#ifndef SKERRY_COLD
#define SKERRY_COLD __attribute__((long_call)) // functions that are not called often can lie in external memory too
#endif

#define SKERRY_LINE 8 // there is no cache; 8 bytes is the widest access
#define SKERRY_FALSE_SHARING_RANGE 8
#define SKERRY_PES_MAX 1024
#define SKERRY_HARDWARE_BARRIER 1
#define SKERRY_OWN_STORES_FIRST 1
#define SKERRY_THREAD_NUMBERS 1

typedef uint32_t skerry_word;
#define SKERRY_PER_THREAD
#define SKERRY_CAN_CHECK 0
#define SKERRY_THREADS 0
#define SKERRY_PRIVATE_MEMORY 0
#define SKERRY_BEGUN_COPIES 1
#define SKERRY_PUT_WORTH_BEGINNING 1024 // measured by bench/chip/aos_begun.c
#define SKERRY_GET_WORTH_BEGINNING 512
#define SKERRY_LINK(NAME) __asm__ volatile(".global _" #NAME)
#define SKERRY_NAMED(NAME) __asm__("_" #NAME)
#define SKERRY_ONE_PROGRAM 1 // all PEs run one program: no PE uses functions that are not linked into this program
#define SKERRY_SHARED_VARIABLE __attribute__((section(".external"))) // external memory, which all cores share
#define SKERRY_EACH_PE(NAME) __attribute__((section(".skerry.each_pe." #NAME ",\"aw\",@nobits;")))

// Loads *(word), which has at most 8 bytes and is aligned, by one instruction. The core executes no later instruction
// before the value has arrived.
#define SKERRY_LOAD_ACQUIRE(word)                                                                                      \
    __extension__({                                                                                                    \
        __typeof__(*(word)) skerry_loaded = *(const volatile __typeof__(*(word)) *)(word);                             \
        __asm__ volatile("" ::: "memory");                                                                             \
        skerry_loaded;                                                                                                 \
    })

#include "../defaults/no_launcher.h"
#include "../defaults/own_processor.h"

#include "../chip/place.h"

// Byte i is 1 if this PE has stored to PE i's memory, and does not yet know that these stores have arrived (quiet.S).
extern volatile uint8_t skerry_written[];
extern volatile uint32_t skerry_started; // not 0: a DMA channel was started, and this core has not waited for it since

// -- Who and where -----------------------------------------------------------------------------------------------------

// Returns rank * stride. Multiplies by additions, because the compiler's code for an integer multiplication is slow.
// That code switches the mode of the FPU twice, and disables and enables interrupts.
int skerry_multiply(int rank, int stride);
SKERRY_ALWAYS_INLINE int skerry_times(int rank, int stride) {
    return stride == 1 ? rank : skerry_multiply(rank, stride);
}

SKERRY_ALWAYS_INLINE void skerry_compiler_fence(void) {
    __asm__ volatile("" ::: "memory");
}

// The chip's own barrier. A core executes the instruction WAND to signal that it has arrived. When all cores of the
// chip have arrived, the chip raises interrupt 8 in each core.
// * start.S masks this interrupt, so it needs no handler and does not disturb other handlers.
// * The core polls the interrupt latch ILAT until bit 8 is set, and clears the bit. The interrupt cannot be raised
//   again before this core executes the next WAND.
extern char _skerry_pes_max[]; // its address is the number of cores of the chip
// Returns true if the job uses all cores of the chip. A core that is not in the job never executes WAND, so the chip's
// barrier would not complete.
SKERRY_ALWAYS_INLINE bool skerry_has_hardware_barrier(void) {
    return skerry_facts.pe_count == (int)(uintptr_t)_skerry_pes_max;
}
#define SKERRY_WAND_INTERRUPT 0x100u
// Executes the chip's barrier.
SKERRY_ALWAYS_INLINE void skerry_hardware_barrier(void) {
    uint32_t seen;
    __asm__ volatile("wand\n"
                     "0:\tmovfs %0, ilat\n"
                     "\tand %0, %0, %1\n"
                     "\tbeq 0b\n"
                     "\tmovts ilatcl, %1"
                     : "=&r"(seen)
                     : "r"(SKERRY_WAND_INTERRUPT)
                     : "memory", "cc");
}

// -- Wait: a core has nothing else to do, and nobody needs to be woken -------------------------------------------------

// Does nothing, because a wait polls its word without pauses. defaults/own_processor.h defines the other functions
// for waits.
SKERRY_ALWAYS_INLINE void skerry_pause(struct skerry_pause *pause, int owner) {
    (void)pause;
    (void)owner;
}

// -- Copy --------------------------------------------------------------------------------------------------------------

// Copies bytes by the core, without a DMA channel (copy.S). Source and destination must not overlap.
void skerry_copy(void *dest, const void *source, size_t bytes);
#include "../defaults/one_copy.h"
#include "../defaults/one_node.h"

void skerry_put(void *dest, const void *source, size_t bytes, int pe);
void skerry_get(void *dest, const void *source, size_t bytes, int pe);
void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe);
void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe);
void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);
void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);

SKERRY_ALWAYS_INLINE void skerry_note_written(int pe) {
    skerry_written[pe] = 1;
}

#define skerry_put_value(TYPE, dest, value, pe)                                                                        \
    do {                                                                                                               \
        *(volatile TYPE *)skerry_global(dest, pe) = (value);                                                           \
        skerry_note_written(pe);                                                                                       \
    } while (0)
#define skerry_get_value(TYPE, source, pe) (*(const volatile TYPE *)skerry_global(source, pe))

// -- Order -------------------------------------------------------------------------------------------------------------

// skerry_fence orders this core's stores to each other core. A core's stores to one core arrive in program order, and
// loads wait for their values. So for loads and stores it is enough to keep the compiler from reordering. Transfers of
// the DMA channels are not ordered with stores. So skerry_fence also waits until the channels are idle
// (skerry_wait_for_channels).
void skerry_wait_for_channels(void);
SKERRY_ALWAYS_INLINE void skerry_fence(void) {
    skerry_compiler_fence();
    if (skerry_started) skerry_wait_for_channels();
}
void skerry_quiet(void);

SKERRY_ALWAYS_INLINE void skerry_complete_puts(void) {
    skerry_quiet();
}

// Returns true only if skerry_quiet would find nothing to wait for. Tests skerry_started, skerry_written_outside and
// the marks of 16 PEs (the mark of PE i is byte i of skerry_written). On a chip with more than 16 cores the function
// always returns false, because it does not test all marks.
extern char _skerry_mark_passes[];                  // its address is the number of groups of 16 marks
extern const volatile uint64_t skerry_unfinished[]; // skerry_started, skerry_written_outside, 16 marks (epiphany.ld)
SKERRY_ALWAYS_INLINE bool skerry_nothing_to_complete(void) {
    uint64_t words = skerry_unfinished[0] | skerry_unfinished[1] | skerry_unfinished[2];
    return ((uint32_t)words | (uint32_t)(words >> 32) | ((uint32_t)(uintptr_t)_skerry_mark_passes - 1)) == 0;
}

SKERRY_ALWAYS_INLINE bool skerry_fence_everywhere(void) {
    return false;
}

// -- Interrupts --------------------------------------------------------------------------------------------------------

#define SKERRY_INTERRUPT_NUMBERS 8
#define SKERRY_REQUEST_PARTS 0 // a PE that waits can be interrupted, so it need not poll for requests
#define SKERRY_PROGRAMS_MAX 0

// Masks all interrupts and returns the previous mask, the argument for skerry_unmask_interrupts. Uses the mask register
// and not the instructions GID and GIE, which disable and enable interrupts. Reason: the compiler's code for a
// multiplication ends with GIE, so a multiplication would enable interrupts too early. While interrupts are masked,
// other PEs that get data from this PE must wait.
SKERRY_ALWAYS_INLINE uint32_t skerry_mask_interrupts(void) {
    uint32_t mask;
    __asm__ volatile("movfs %0, imask\n\tmovts imask, %1" : "=&r"(mask) : "r"(0x3ff) : "memory");
    return mask;
}

SKERRY_ALWAYS_INLINE void skerry_unmask_interrupts(uint32_t mask) {
    __asm__ volatile("movts imask, %0" : : "r"(mask) : "memory");
}

// -- Atomics -----------------------------------------------------------------------------------------------------------

#include "atomic.h"

SKERRY_EPIPHANY_ATOMICS(extern inline __attribute__((gnu_inline)), 32)
SKERRY_EPIPHANY_ATOMICS(extern inline __attribute__((gnu_inline)), 64)

#define SKERRY_EPIPHANY_LOAD(BITS)                                                                                     \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_load_##BITS(const volatile void *word, int pe) {                 \
        return *(const volatile uint##BITS##_t *)skerry_global(word, pe);                                              \
    }
SKERRY_EPIPHANY_LOAD(32)
SKERRY_EPIPHANY_LOAD(64)
#include "../defaults/plain_atomics.h"
#include "../defaults/put_signal.h"

SKERRY_ALWAYS_INLINE uint32_t skerry_atomic_claim_32(void *word, uint32_t expected, uint32_t value, int pe) {
    return skerry_atomic_compare_swap_32(word, expected, value, pe);
}

SKERRY_ALWAYS_INLINE void skerry_store_release(skerry_word *word, skerry_word value, int pe) {
    skerry_compiler_fence();
    *(volatile skerry_word *)skerry_global(word, pe) = value;
}

SKERRY_ALWAYS_INLINE void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int pe) {
    skerry_compiler_fence();
    *(volatile uint64_t *)skerry_global(words, pe) = (uint64_t)second << 32 | first;
}

SKERRY_ALWAYS_INLINE void skerry_store_release_32(uint32_t *word, uint32_t value, int pe) {
    skerry_store_release(word, value, pe);
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

// -- Time --------------------------------------------------------------------------------------------------------------

uint64_t skerry_ticks(void);
uint64_t skerry_ticks_per_second(void);

// -- Memory ------------------------------------------------------------------------------------------------------------

void *skerry_heap_memory(size_t *bytes);
void *skerry_system_memory(size_t *bytes);
void *skerry_shared_memory(size_t *bytes);

void *skerry_table_memory(size_t *bytes);

// Functions for external memory, which the contract calls outside memory. TESTSET, the chip's atomic instruction, does
// not work in external memory. So atomic operations on external memory use a lock in a core's memory (outside.c).
uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value);
void skerry_outside_get(void *dest, const void *source, size_t bytes);
void skerry_note_stores(const volatile void *address, int pe);

#endif
