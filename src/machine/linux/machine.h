// SPDX-License-Identifier: BSD-3-Clause
// Implements the machine contract on Linux. Every PE is a process. Every process maps the partition (the memory) of
// each PE of its node at base | pe << shift. So a program accesses the memory of these PEs by ordinary loads, stores
// and atomic instructions. far.h has the operations on PEs of other nodes.
#ifndef SKERRY_MACHINE_LINUX_MACHINE_H
#define SKERRY_MACHINE_LINUX_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "far.h"
#include "layout.h"
#include "sleep.h"

#define SKERRY_CONFIG_HEADER "linux.h"    // in src/config
#define SKERRY_CALL_HEADER "linux/call.h" // in src/machine

// Functions with this attribute are inlined at every call and never emitted. So the public inline routines are allowed
// to call them.
#define SKERRY_ALWAYS_INLINE extern __inline__ __attribute__((gnu_inline, always_inline))

#include "arch/instructions.h"

// Properties of this PE and its job. The library sets them before main. They do not change after that, with two
// exceptions:
// * The tick rate is measured when it is first needed.
// * pe_count and oversubscribed change if this PE starts programs (pe/programs.c).
struct skerry_facts {
    int32_t my_pe;
    int32_t pe_count;
    int32_t near_first;  // the PEs of this node have the ranks from near_first on
    uint32_t near_count; // number of PEs of this node
    uint32_t
        load_count; // near_count, or 0 if PEs are oversubscribed: skerry_get and skerry_get_value load from these PEs inline
    uint32_t oversubscribed;
    uint16_t stream_lines_ahead; // see contract/pe.h; both are chosen by measuring (tuning.h)
    uint16_t stream_moments_back;
    uint16_t poll_pauses; // pause instructions between two polls of a wait; chosen by measuring
    uint16_t quick_polls; // polls of a wait before it reads the clock
    uintptr_t data_begin; // the executable's static data, at the executable's own addresses
    uintptr_t data_end;
    uint64_t data_offset; // offset of that data in every partition
    uint64_t heap_bytes;
    uint64_t ticks_per_second;
};
// The struct is const for programs. So the compiler can load a field once for a whole loop. The library sets the fields
// before any code of the program runs.
#ifdef SKERRY_BUILD
extern struct skerry_facts skerry_facts;
#else
extern const struct skerry_facts skerry_facts;
#endif

// Attribute of functions of the library that short inline routines call: the program calls them by the address in its
// global offset table, without the jump of an entry of the procedure linkage table.
#ifndef SKERRY_DIRECT_CALL
#if defined(__has_attribute)
#if __has_attribute(noplt)
#define SKERRY_DIRECT_CALL __attribute__((noplt))
#endif
#endif
#ifndef SKERRY_DIRECT_CALL
#define SKERRY_DIRECT_CALL
#endif
#endif
#ifndef SKERRY_NORETURN
#define SKERRY_NORETURN __attribute__((noreturn))
#endif
#define SKERRY_LINE 64
#define SKERRY_OWN_STORES_FIRST 0
#define SKERRY_HARDWARE_BARRIER 0
#define SKERRY_THREAD_NUMBERS 64
#define SKERRY_INTERRUPT_NUMBERS 8
#define SKERRY_REQUEST_PARTS 4 // parts of the memory where requests arrive: one for each programming model

typedef uint64_t skerry_word;
#define SKERRY_CAN_CHECK 1
#define SKERRY_THREADS 1     // a PE can have several threads
#define SKERRY_ONE_PROGRAM 0 // PEs can run different programs
#define SKERRY_FAR_PES 1     // a job can have PEs on other nodes
#define SKERRY_FAR_MESSAGES 1
#define SKERRY_FAR_WATCHES 0
#define SKERRY_BEGUN_COPIES 0
#define SKERRY_PRIVATE_MEMORY 1 // a PE has memory that other PEs cannot load from and store to
#define SKERRY_LOAD_ACQUIRE(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)

#define SKERRY_PRIVATE __attribute__((visibility("hidden")))
#ifndef SKERRY_COLD
#define SKERRY_COLD
#endif

// The thread that drives the network, and waits, call the functions of transfers that have ended.
SKERRY_ALWAYS_INLINE void skerry_far_poll(void) {
}

// -- Who and where -----------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE int skerry_my_pe(void) {
    return skerry_facts.my_pe;
}

SKERRY_ALWAYS_INLINE int skerry_pe_count(void) {
    return skerry_facts.pe_count;
}

SKERRY_ALWAYS_INLINE bool skerry_is_oversubscribed(void) {
    return skerry_facts.oversubscribed != 0;
}

SKERRY_ALWAYS_INLINE int skerry_times(int rank, int stride) {
    return rank * stride;
}

// Returns the number of PE `pe` among the PEs of this node, counted from 0. If `pe` is on another node, or is not the
// number of a PE, the result is at least near_count.
SKERRY_ALWAYS_INLINE uint32_t skerry_window(int pe) {
    return (uint32_t)pe - (uint32_t)skerry_facts.near_first;
}

// Returns true if `pe` is a near PE: a PE of this node, whose partition (its part of the job's memory) this process
// maps. Callers need not check that the PE exists. If `pe` is not near, they call a function of far.h. That function
// ends the job if `pe` is not the number of a PE.
SKERRY_ALWAYS_INLINE bool skerry_is_near(int pe) {
    return __builtin_expect(skerry_window(pe) < skerry_facts.near_count, 1);
}

// Tells the compiler that `pe` is a near PE. Then the functions for this PE need no test.
SKERRY_ALWAYS_INLINE void skerry_assume_near(int pe) {
    if (skerry_window(pe) >= skerry_facts.near_count) __builtin_unreachable();
}

SKERRY_ALWAYS_INLINE bool skerry_has_far_pes(void) {
    return skerry_facts.near_count != (uint32_t)skerry_facts.pe_count;
}

// Returns the address of a PE's partition, its part of the job's memory. The partition of a far PE (a PE of another
// node) is not mapped. Its address only identifies the partition (layout.h).
SKERRY_ALWAYS_INLINE uintptr_t skerry_partition(int pe) {
    return SKERRY_BASE + ((uintptr_t)(uint32_t)pe << SKERRY_PARTITION_SHIFT);
}

SKERRY_ALWAYS_INLINE void *skerry_global(const volatile void *symmetric, int pe) {
    return (void *)(((uintptr_t)symmetric & SKERRY_PARTITION_MASK) + skerry_partition(pe));
}

SKERRY_ALWAYS_INLINE int skerry_owner(const volatile void *global) {
    return (int)(((uintptr_t)global - SKERRY_BASE) >> SKERRY_PARTITION_SHIFT);
}

SKERRY_ALWAYS_INLINE void *skerry_localize(const volatile void *global) {
    uintptr_t offset = (uintptr_t)global & SKERRY_PARTITION_MASK;
    uintptr_t in_data = offset - skerry_facts.data_offset;
    if (in_data < skerry_facts.data_end - skerry_facts.data_begin) return (void *)(skerry_facts.data_begin + in_data);
    return (void *)(skerry_partition(skerry_facts.my_pe) | offset);
}

SKERRY_ALWAYS_INLINE bool skerry_is_symmetric(const volatile void *address, size_t bytes) {
    uintptr_t at = (uintptr_t)address;
    uintptr_t data_bytes = skerry_facts.data_end - skerry_facts.data_begin;
    uintptr_t in_data = at - skerry_facts.data_begin;
    if (in_data < data_bytes) return bytes <= data_bytes - in_data;
    uintptr_t pes = (uint32_t)skerry_facts.pe_count;
    if (at - SKERRY_BASE >= pes << SKERRY_PARTITION_SHIFT) return false;
    uintptr_t offset = at & SKERRY_PARTITION_MASK;
    uintptr_t in_heap = offset - SKERRY_HEAP_OFFSET;
    if (in_heap < skerry_facts.heap_bytes) return bytes <= skerry_facts.heap_bytes - in_heap;
    in_data = offset - skerry_facts.data_offset;
    return in_data < data_bytes && bytes <= data_bytes - in_data;
}

SKERRY_ALWAYS_INLINE void skerry_compiler_fence(void) {
    __asm__ volatile("" ::: "memory");
}

// -- Wait (needed by everything that writes) ---------------------------------------------------------------------------

struct skerry_pause {
    uint64_t began;   // nanoseconds of the clock when polling began
    uint64_t elapsed; // nanoseconds from `began` to the last reading of the clock
    uint32_t steps;
    uint32_t at_end; // SKERRY_AT_END_* flags: actions that are needed when the wait ends
    uint32_t budget; // spin budget: nanoseconds of polling before the thread sleeps
    struct skerry_sleep sleep;
};
// Actions that are needed when a wait ends:
//     SKERRY_AT_END_STOP_POLLING   The wait has announced to other PEs that this PE polls for requests. It must withdraw
//                                  the announcement.
//     SKERRY_AT_END_LEARN          The spin budget (how long a wait polls before it sleeps) must be adapted to the length
//                                  of the wait (spin_budget.h).
#define SKERRY_AT_END_STOP_POLLING 1u
#define SKERRY_AT_END_LEARN 2u
#define SKERRY_PAUSE_INIT                                                                                              \
    {                                                                                                                  \
        0, 0, 0, 0, 0, {                                                                                               \
            0, 0, 0, 0, 0                                                                                              \
        }                                                                                                              \
    }

// Initial value of a wait that sleeps without polling first.
#define SKERRY_PAUSE_INIT_ASLEEP                                                                                       \
    {                                                                                                                  \
        1, UINT64_MAX / 2, UINT16_MAX, 0, 0, {                                                                         \
            0, 0, 0, 0, 0                                                                                              \
        }                                                                                                              \
    }

// 1 if the waits of this PE poll for requests of other PEs, because this PE has handlers for them (pe/progress.c).
extern volatile uint32_t skerry_polls_requests;

void skerry_wake_sleepers(int pe);
void skerry_pause_slow(struct skerry_pause *pause, int owner);

SKERRY_ALWAYS_INLINE volatile uint32_t *skerry_sleeping(int pe) {
    return (volatile uint32_t *)(skerry_partition(pe) | (SKERRY_CONTROL_OFFSET + SKERRY_SLEEPING_PLACE));
}

// Wakes the threads that sleep until a word of PE `pe` changes. This is the writer's half of the sleeping protocol: a
// plain load after the writer's store. Why no wake-up is lost (eventcount.h has the whole argument):
// * The store is possibly still in this processor's store buffer when the load executes.
// * So the sleeper executes a membarrier between its announcement and its last poll. A membarrier is a system call that
//   makes the threads of all running PEs execute a fence.
// * So either the writer sees the announcement or the sleeper sees the word.
// * The writer's store and this load are volatile, so the compiler keeps their order. No other order is needed.
SKERRY_ALWAYS_INLINE void skerry_wake(int pe) {
    if (__builtin_expect(__atomic_load_n(skerry_sleeping(pe), __ATOMIC_RELAXED) != 0, 0)) skerry_wake_sleepers(pe);
}

// A yield can cost a whole time slice of another process. After a yield of this kind, the next waits of this PE do not
// yield. SKERRY_WAITS_WITHOUT_YIELD is the number of these waits after the first yield of this kind. Each further one
// doubles the number, up to SKERRY_WAITS_WITHOUT_YIELD_MOST (spin_budget.c). The number 16 is small, because the
// process that ran for the time slice is often a PE of the same job.
#define SKERRY_WAITS_WITHOUT_YIELD 16u
#define SKERRY_WAITS_WITHOUT_YIELD_MOST 4096u

// Pauses between two polls of a wait, so that the cache line of the polled word stays in its writer's cache for a
// while. skerry-tune measures how many pauses are best. In skerry_pause (below), a fence takes the place of the first
// pause. Reason: a wait often begins right after a store that another PE waits for. The fence makes that store leave
// this processor's store buffer before the polls. On the first machines measured, fence and pauses shorten the time in
// which a value passes between two PEs by a fifth to a third (bench/limits/pingpong.c).
SKERRY_ALWAYS_INLINE void skerry_poll_pause(void) {
    uint32_t left = skerry_facts.poll_pauses;
    while (left-- > 0) skerry_arch_relax();
}

SKERRY_ALWAYS_INLINE void skerry_pause(struct skerry_pause *pause, int owner) {
    if (!skerry_facts.oversubscribed && pause->steps < skerry_facts.quick_polls && !skerry_polls_requests) {
        if (pause->steps == 0) skerry_arch_full_fence();
        else skerry_poll_pause();
        pause->steps++;
        return;
    }
    skerry_pause_slow(pause, owner);
}

void skerry_pause_finish(const struct skerry_pause *pause);

SKERRY_ALWAYS_INLINE void skerry_pause_end(struct skerry_pause *pause) {
    if (__builtin_expect(pause->at_end, 0)) skerry_pause_finish(pause);
}

SKERRY_ALWAYS_INLINE void skerry_pause_again(struct skerry_pause *pause) {
    uint32_t polls_requests = pause->at_end & SKERRY_AT_END_STOP_POLLING;
    const struct skerry_pause start = SKERRY_PAUSE_INIT;
    *pause = start;
    pause->at_end = polls_requests;
}

// Returns the address at which this PE polls the word fastest. For some processors a PE maps its own memory a second
// time, at SKERRY_POLL_BASE (layout.h). For a word of its own static data, or of its own part of the job's memory, this
// function returns the address in that second mapping. Returns any other address unchanged.
SKERRY_ALWAYS_INLINE void *skerry_poll_address(const volatile void *word) {
    uintptr_t at = (uintptr_t)word;
#ifdef SKERRY_POLL_BASE
    bool is_data = at - skerry_facts.data_begin < skerry_facts.data_end - skerry_facts.data_begin;
    if (is_data || at - skerry_partition(skerry_facts.my_pe) < SKERRY_PARTITION_BYTES)
        at = (at & SKERRY_PARTITION_MASK) + SKERRY_POLL_BASE;
#endif
    return (void *)at;
}

void skerry_yield(void);

SKERRY_ALWAYS_INLINE void skerry_poll_again(void) {
    if (skerry_facts.oversubscribed || skerry_polls_requests) skerry_yield();
}

void skerry_polled(const volatile void *address);

SKERRY_ALWAYS_INLINE void skerry_may_be_polling(const volatile void *address) {
    if (__builtin_expect(skerry_facts.oversubscribed != 0, 0)) skerry_polled(address);
}

SKERRY_ALWAYS_INLINE void skerry_expect_to_write(void *address) {
    skerry_arch_fetch_to_write(address);
}

SKERRY_ALWAYS_INLINE unsigned skerry_stream_lines_ahead(void) {
    return skerry_facts.stream_lines_ahead;
}

SKERRY_ALWAYS_INLINE unsigned skerry_stream_moments_back(void) {
    return skerry_facts.stream_moments_back;
}

#include "../defaults/no_hardware_barrier.h"
#include "transfer.h"

// -- Order -------------------------------------------------------------------------------------------------------------

// Orders accesses as a release and an acquire do. On x86-64 the processor keeps stores in order, so the function only
// keeps the compiler from reordering. On Arm it executes the instruction DMB ISH.
SKERRY_ALWAYS_INLINE void skerry_fence(void) {
    skerry_arch_fence();
    if (__builtin_expect(SKERRY_HAS_FAR_OPERATIONS, 0)) skerry_far_fence();
}

// Not 0 if a quiet must do more than a full fence, for one of two reasons: this PE has started operations on far PEs, or
// PEs are oversubscribed (a program can poll by quiet, so a quiet then yields the processor at times). One word for both
// reasons, so that a quiet has only one load and one branch. The word is never set to 0 again. All threads of the PE
// load it. skerry_has_far_operations (far.h) has the reason why relaxed order is enough.
extern uint32_t skerry_quiet_is_slow;
void skerry_quiet_slowly(uint32_t context);

// The fence is last, because a load after the fence would wait for it.
SKERRY_ALWAYS_INLINE void skerry_quiet_of(uint32_t context) {
    if (__builtin_expect(__atomic_load_n(&skerry_quiet_is_slow, __ATOMIC_RELAXED) != 0, 0))
        skerry_quiet_slowly(context);
    skerry_arch_full_fence();
}

SKERRY_ALWAYS_INLINE void skerry_quiet(void) {
    skerry_quiet_of(0);
}

SKERRY_ALWAYS_INLINE void skerry_use_context(uint32_t context, int pe) {
    if (!skerry_is_near(pe)) skerry_far_context = context;
}

SKERRY_ALWAYS_INLINE void skerry_fence_of(uint32_t context) {
    skerry_arch_fence();
    if (__builtin_expect(SKERRY_HAS_FAR_OPERATIONS, 0)) skerry_far_fence_of(context);
}

// Completes puts to PEs of other nodes by skerry_far_quiet. For puts to PEs of this node, only keeps the compiler from
// reordering. The processor has nothing to complete: stores become visible in order, and each copy that uses
// non-temporal stores ends with a fence.
SKERRY_ALWAYS_INLINE void skerry_complete_puts(void) {
    skerry_compiler_fence();
    if (__builtin_expect(SKERRY_HAS_FAR_OPERATIONS, 0)) skerry_far_quiet();
}

SKERRY_ALWAYS_INLINE bool skerry_nothing_to_complete(void) {
    return !SKERRY_HAS_FAR_OPERATIONS;
}

#include "atomics.h"

// -- Other memory ------------------------------------------------------------------------------------------------------

// Returns false for every address, because on this machine all shared memory lies in the partitions (each PE's part of
// the job's memory). The memory that no PE owns lies in the partition of the node's first PE.
SKERRY_ALWAYS_INLINE bool skerry_is_outside(const volatile void *address) {
    (void)address;
    return false;
}

SKERRY_ALWAYS_INLINE void skerry_outside_get(void *dest, const void *source, size_t bytes) {
    skerry_copy(dest, source, bytes);
}

SKERRY_ALWAYS_INLINE uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value) {
    (void)word;
    (void)value;
    return expected;
}

SKERRY_ALWAYS_INLINE void skerry_note_stores(const volatile void *address, int pe) {
    (void)address;
    (void)pe;
}

SKERRY_ALWAYS_INLINE void *skerry_table_memory(size_t *bytes) {
    *bytes = SKERRY_TABLE_BYTES;
    return (void *)(skerry_partition(skerry_facts.my_pe) | SKERRY_TABLE_OFFSET);
}

SKERRY_ALWAYS_INLINE void *skerry_shared_memory(size_t *bytes) {
    *bytes = SKERRY_SHARED_BYTES;
    return (void *)(skerry_partition(skerry_facts.near_first) | SKERRY_SHARED_OFFSET);
}

// -- Interrupts --------------------------------------------------------------------------------------------------------

uint32_t skerry_mask_interrupts(void);
void skerry_unmask_interrupts(uint32_t mask);

// -- Time --------------------------------------------------------------------------------------------------------------

uint64_t skerry_measure_ticks_per_second(void);

SKERRY_ALWAYS_INLINE uint64_t skerry_ticks(void) {
    return skerry_arch_ticks();
}

SKERRY_ALWAYS_INLINE uint64_t skerry_ticks_per_second(void) {
    return skerry_facts.ticks_per_second ? skerry_facts.ticks_per_second : skerry_measure_ticks_per_second();
}

#endif
