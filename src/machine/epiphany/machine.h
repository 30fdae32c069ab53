// SPDX-License-Identifier: BSD-3-Clause
// The Epiphany machine: every PE is a core with a few ten KB of memory that the others reach by load and store. No cache,
// no operating system, one thread a PE; a store is posted and travels, a load of another core's memory waits for a round trip.
#ifndef SKERRY_MACHINE_EPIPHANY_MACHINE_H
#define SKERRY_MACHINE_EPIPHANY_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"

#define SKERRY_ALWAYS_INLINE extern inline __attribute__((gnu_inline, always_inline))
#ifndef SKERRY_NORETURN
// What ends a program may lie in external memory, out of reach of an ordinary call.
#define SKERRY_NORETURN __attribute__((noreturn, long_call))
#endif
#define SKERRY_PRIVATE
#ifndef SKERRY_COLD
#define SKERRY_COLD __attribute__((long_call)) // so may what is not called often
#endif

// Sizes: every byte counts here. Those of what only machines without channels use are as small as they can be.
#define SKERRY_TEAMS_MAX 12
#define SKERRY_CONTEXTS_MAX 8
#define SKERRY_LINE 8 // no cache; what a double-word access takes
#define SKERRY_FALSE_SHARING_RANGE 8
#define SKERRY_ROUNDS_MAX 1
#define SKERRY_PARTNERS_MAX 11 // of a dissemination among 1024 members, and an end
#define SKERRY_AREA_ALIGNMENT 8
#define SKERRY_CELL_BYTES 8
#define SKERRY_BROADCAST_CELLS 1
#define SKERRY_CHUNK_BYTES 8

// Choices.
#define SKERRY_HARDWARE_BARRIER 1
#define SKERRY_HEAP_ON_DEMAND 1   // programs that allocate nothing have no allocator
#define SKERRY_CHANNELS 1         // reading is ten times slower than writing
#define SKERRY_SCATTER_MEMBERS 5  // from so many members
#define SKERRY_SCATTER_BYTES 1536 // and bytes on broadcasts are scattered and collected
#define SKERRY_SYNC_ELEMENTS 1    // of a pSync: channels need none
#define SKERRY_WORK_BYTES 1024    // what a PE can receive of a reduction at a time
#define SKERRY_DOUBLING_BYTES 32  // reductions up to here take half as many rounds, of whole operands
#define SKERRY_COUNTER_BARRIER_MEMBERS 0
#define SKERRY_FLAT_BROADCAST_MEMBERS 0
#define SKERRY_OFFER_BYTES SIZE_MAX

// Tables of segments, in each core's memory in programs that have some (epiphany.ld).
#define SKERRY_PES_MAX 1024
#define SKERRY_OWN_STORES_FIRST 1
#define SKERRY_THREAD_NUMBERS 1
// Places to name queues in: the program's, two for handlers that interrupt one another, and one that is never free.
#define SKERRY_NESTING 4
#define SKERRY_AOS_SEGMENTS_MAX 8 // that one PE has made
#define SKERRY_AOS_BUCKETS 8
#define SKERRY_AOS_DEFERRED_MAX 8 // conditional atomics that wait for words of one PE
#define SKERRY_AOS_REPLIES_MAX 8  // operations of one PE whose answers are awaited

typedef uint32_t skerry_word;
#define SKERRY_PER_THREAD
#define SKERRY_CAN_CHECK 0
#define SKERRY_THREADS 0
#define SKERRY_PRIVATE_MEMORY 0
#define SKERRY_ONE_PROGRAM 1 // what is not linked into it no PE of the job does
#define SKERRY_EACH_PE(NAME) __attribute__((section(".skerry.each_pe." #NAME ",\"aw\",@nobits;")))

// One load, of up to eight bytes when they are aligned; the core does nothing before it is served.
#define SKERRY_LOAD_ACQUIRE(word)                                                                                      \
    __extension__({                                                                                                    \
        __typeof__(*(word)) skerry_loaded = *(const volatile __typeof__(*(word)) *)(word);                             \
        __asm__ volatile("" ::: "memory");                                                                             \
        skerry_loaded;                                                                                                 \
    })

struct skerry_facts {
    int32_t my_pe;
    int32_t pe_count;
};
#ifdef SKERRY_BUILD
extern struct skerry_facts skerry_facts;
#else
extern const struct skerry_facts skerry_facts;
#endif

// Where each PE's memory begins, filled before main. A table takes one load where arithmetic on rows and columns takes
// several instructions and the same load for their number, and it serves jobs with holes as well as whole chips. The linker
// script gives it room for as many PEs as the machine has cores.
extern uint32_t skerry_partitions[];
// Byte i is 1 when this PE has written to PE i and not made sure since that it has arrived (quiet.S).
extern volatile uint8_t skerry_written[];
extern volatile uint32_t skerry_started; // not 0: a DMA channel was started, and not waited for since

// -- Who and where -----------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE int skerry_my_pe(void) {
    return skerry_facts.my_pe;
}

SKERRY_ALWAYS_INLINE int skerry_pe_count(void) {
    return skerry_facts.pe_count;
}

// A multiplication of integers switches the FPU's mode twice, and interrupts with it.
int skerry_multiply(int rank, int stride);
SKERRY_ALWAYS_INLINE int skerry_times(int rank, int stride) {
    return stride == 1 ? rank : skerry_multiply(rank, stride);
}

SKERRY_ALWAYS_INLINE bool skerry_is_oversubscribed(void) {
    return false;
}

SKERRY_ALWAYS_INLINE void *skerry_global(const volatile void *symmetric, int pe) {
    return (void *)(((uintptr_t)symmetric & SKERRY_PARTITION_MASK) | skerry_partitions[pe]);
}

// A search: machines whose cores have no numbers in between could divide, but nothing fast asks.
int skerry_owner(const volatile void *global);

SKERRY_ALWAYS_INLINE void *skerry_localize(const volatile void *global) {
    return (void *)((uintptr_t)global & SKERRY_PARTITION_MASK);
}

bool skerry_is_symmetric(const volatile void *address, size_t bytes);

SKERRY_ALWAYS_INLINE void skerry_compiler_fence(void) {
    __asm__ volatile("" ::: "memory");
}

// The chip's own barrier: WAND says that a core has arrived, and when each core of the chip has, interrupt 8 is raised in
// all. It is masked (start.S), so it needs no handler and leaves others alone: the core looks for it in ILAT and takes it
// away, and it cannot come again before this core says WAND again.
extern char _skerry_pes_max[]; // its address is how many cores the chip has
// A core that is not of the job would never say WAND.
SKERRY_ALWAYS_INLINE bool skerry_has_hardware_barrier(void) {
    return skerry_facts.pe_count == (int)(uintptr_t)_skerry_pes_max;
}
#define SKERRY_WAND_INTERRUPT 0x100u
// From WAND to the branch, flags as of a zero mean to look again: interrupt.S counts on that.
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

// -- Wait: a core has nothing else to do, and nobody needs to be woken --------------------------------------------------

struct skerry_pause {
    char nothing;
};
#define SKERRY_PAUSE_INIT                                                                                              \
    { 0 }
#define SKERRY_PAUSE_INIT_ASLEEP SKERRY_PAUSE_INIT

SKERRY_ALWAYS_INLINE void skerry_pause(struct skerry_pause *pause, int owner) {
    (void)pause;
    (void)owner;
}

SKERRY_ALWAYS_INLINE void skerry_pause_again(struct skerry_pause *pause) {
    (void)pause;
}

SKERRY_ALWAYS_INLINE void skerry_pause_end(struct skerry_pause *pause) {
    (void)pause;
}

SKERRY_ALWAYS_INLINE void skerry_wake(int pe) {
    (void)pe;
}

SKERRY_ALWAYS_INLINE void *skerry_poll_address(const volatile void *word) {
    return (void *)word;
}

SKERRY_ALWAYS_INLINE void skerry_may_be_polling(const volatile void *address) {
    (void)address;
}

SKERRY_ALWAYS_INLINE void skerry_poll_again(void) {
}

SKERRY_ALWAYS_INLINE void skerry_relax(void) {
}

SKERRY_ALWAYS_INLINE void skerry_expect_to_write(void *address) {
    (void)address;
}

SKERRY_ALWAYS_INLINE unsigned skerry_stream_lines_ahead(void) {
    return 0;
}

SKERRY_ALWAYS_INLINE unsigned skerry_stream_moments_back(void) {
    return 0;
}

// -- Copy --------------------------------------------------------------------------------------------------------------

// The best copy of this core; regions do not overlap.
void skerry_copy(void *dest, const void *source, size_t bytes);

SKERRY_ALWAYS_INLINE void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all) {
    (void)all;
    skerry_copy(dest, source, bytes);
}

SKERRY_ALWAYS_INLINE bool skerry_copy_short(void *dest, const void *source, size_t bytes) {
    (void)dest;
    (void)source;
    (void)bytes;
    return false;
}

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

// What a core stores goes to each place in the order of the stores, and loads wait: nothing but the compiler to hold. What
// the DMA channels still carry goes another way, and is waited for.
void skerry_wait_for_channels(void);
SKERRY_ALWAYS_INLINE void skerry_fence(void) {
    skerry_compiler_fence();
    if (skerry_started) skerry_wait_for_channels();
}
void skerry_quiet(void);

SKERRY_ALWAYS_INLINE void skerry_complete_puts(void) {
    skerry_quiet();
}

// Marks of more than 16 PEs are left to quiet.
extern char _skerry_mark_passes[];                  // its address is how often quiet looks at 16 of them
extern const volatile uint64_t skerry_unfinished[]; // what quiet looks at first (epiphany.ld)
SKERRY_ALWAYS_INLINE bool skerry_nothing_to_complete(void) {
    uint64_t words = skerry_unfinished[0] | skerry_unfinished[1] | skerry_unfinished[2];
    return ((uint32_t)words | (uint32_t)(words >> 32) | ((uint32_t)(uintptr_t)_skerry_mark_passes - 1)) == 0;
}

SKERRY_ALWAYS_INLINE int skerry_thread_number(void) {
    return 0;
}

SKERRY_ALWAYS_INLINE bool skerry_fence_everywhere(void) {
    return false;
}

// -- Interrupts --------------------------------------------------------------------------------------------------------

#define SKERRY_INTERRUPT_NUMBERS 8
#define SKERRY_REQUEST_PARTS 0 // interrupts come through while a PE waits
#define SKERRY_PROGRAMS_MAX 0

// By the mask, not by GID and GIE: code that the compiler makes for a multiplication switches the FPU's mode between these
// two and so would turn interrupts on again. Other PEs' gets wait meanwhile.
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

#define SKERRY_EPIPHANY_NOT_FETCHING(BITS)                                                                             \
    SKERRY_ALWAYS_INLINE uint##BITS##_t skerry_atomic_load_##BITS(const volatile void *word, int pe) {                 \
        return *(const volatile uint##BITS##_t *)skerry_global(word, pe);                                              \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_add_##BITS(void *word, uint##BITS##_t value, int pe) {                     \
        (void)skerry_atomic_fetch_add_##BITS(word, value, pe);                                                         \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_and_##BITS(void *word, uint##BITS##_t value, int pe) {                     \
        (void)skerry_atomic_fetch_and_##BITS(word, value, pe);                                                         \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_or_##BITS(void *word, uint##BITS##_t value, int pe) {                      \
        (void)skerry_atomic_fetch_or_##BITS(word, value, pe);                                                          \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE void skerry_atomic_xor_##BITS(void *word, uint##BITS##_t value, int pe) {                     \
        (void)skerry_atomic_fetch_xor_##BITS(word, value, pe);                                                         \
    }
SKERRY_EPIPHANY_NOT_FETCHING(32)
SKERRY_EPIPHANY_NOT_FETCHING(64)

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

// External memory: TESTSET does not work there, and its address says nothing of a core.
extern char _skerry_external[], _skerry_external_bytes[];
SKERRY_ALWAYS_INLINE bool skerry_is_outside(const volatile void *address) {
    return (uintptr_t)address - (uintptr_t)_skerry_external < (uintptr_t)_skerry_external_bytes;
}
uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value);
void skerry_outside_get(void *dest, const void *source, size_t bytes);
void skerry_note_stores(const volatile void *address, int pe);
void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner);

// -- Job ---------------------------------------------------------------------------------------------------------------

struct skerry_model;
SKERRY_ALWAYS_INLINE void skerry_job_enter(const struct skerry_model *model) {
    (void)model;
}

SKERRY_ALWAYS_INLINE void skerry_job_open(void) {
}

SKERRY_ALWAYS_INLINE bool skerry_job_is_open(void) {
    return true;
}

SKERRY_ALWAYS_INLINE void skerry_job_leave(const struct skerry_model *model) {
    (void)model;
}

SKERRY_ALWAYS_INLINE void skerry_job_report_unfinished(bool refuse) {
    (void)refuse;
}

SKERRY_ALWAYS_INLINE void skerry_job_note_heap(size_t peak_bytes) {
    (void)peak_bytes;
}

SKERRY_ALWAYS_INLINE uintptr_t skerry_thread_identity(void) {
    return 1;
}

#endif
