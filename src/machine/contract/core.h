// SPDX-License-Identifier: BSD-3-Clause
// Declares the contract of a machine: every operation that the hardware or the operating system provides for the layers
// above it. Each machine's machine.h defines these operations, inline if they are short. ../machine.h includes that
// file and then the contract, so that the compiler compares the machine's definitions with these declarations. The
// contract states the costs of the operations on a machine that implements them well.
//
// For operations that a machine can lack, the contract has a macro. A machine that lacks these operations defines the
// macro as 0, and the layers above do not use them. test/structure/contract.py compares what is declared here, what
// each machine defines and what the layers above use.
//
// A global address names the same byte in every PE. A symmetric address is an address inside this PE's own static data
// or symmetric heap, or any global address.
//
// This file has the operations that src/primitive/ uses. pe.h adds the operations of PEs, which the user or the
// launcher starts, and includes interrupt.h and programs.h. workers.h adds the operations of workers, which are threads
// that a runtime starts by itself. In this file "PE" means a PE or a worker.
#ifndef SKERRY_MACHINE_CONTRACT_CORE_H
#define SKERRY_MACHINE_CONTRACT_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// -- Macros ------------------------------------------------------------------------------------------------------------

// Each machine defines these macros before this file is included.
//     SKERRY_ALWAYS_INLINE        begins the definition of a function that is inlined at every call
//     SKERRY_PRIVATE              attribute of functions and objects that only the library uses
//     SKERRY_COLD                 attribute of rarely called functions: the compiler can place them far from other code
//     SKERRY_NORETURN             attribute of functions that do not return
//     SKERRY_LINE                 bytes that a PE reads or writes together in memory: a cache line
//     SKERRY_FALSE_SHARING_RANGE  bytes: two words that are this far apart do not slow each other's writers
// A machine with PEs also defines the names of two headers:
//     SKERRY_CONFIG_HEADER        what the layers above choose for this machine (a path from src/config)
//     SKERRY_CALL_HEADER          how the arguments of a remote procedure call are saved and loaded (a path from
//                                 src/machine); not defined on a machine without remote procedure calls
#if !defined(SKERRY_ALWAYS_INLINE) || !defined(SKERRY_PRIVATE) || !defined(SKERRY_COLD) || !defined(SKERRY_NORETURN)
#error "the machine does not define all of SKERRY_ALWAYS_INLINE, SKERRY_PRIVATE, SKERRY_COLD, SKERRY_NORETURN"
#endif
#if !defined(SKERRY_LINE) || !defined(SKERRY_FALSE_SHARING_RANGE)
#error "the machine does not define SKERRY_LINE and SKERRY_FALSE_SHARING_RANGE"
#endif

// -- Who and where -----------------------------------------------------------------------------------------------------

// Returns the rank of this PE. Costs one load.
int skerry_my_pe(void);

// Returns true if more PEs are awake than there are processors. In this case waits yield the processor at the first
// failed poll. Collectives choose algorithms in which each PE must get a processor only one time, instead of algorithms
// with the shortest critical path. Costs one load.
bool skerry_is_oversubscribed(void);

// Returns the global address, in PE `pe`, of the object whose symmetric address is `symmetric`. Costs three
// instructions and no load. The global address of one object is the same in all PEs of the job. If PE `pe` is on
// another node (skerry_is_near, pe.h), the global address only identifies the object: an access to it faults.
void *skerry_global(const volatile void *symmetric, int pe);

// SKERRY_PER_THREAD: storage class of a variable of which each thread of a PE has its own copy. Empty if PEs have one
// thread.
#ifndef SKERRY_PER_THREAD
#error "the machine does not define SKERRY_PER_THREAD"
#endif

// -- Order -------------------------------------------------------------------------------------------------------------

// Orders this PE's puts, atomics and stores: operations before the call become visible to each PE before operations
// after the call.
void skerry_fence(void);

// Completes this PE's earlier puts, gets, atomics and stores: all are visible to every PE on return. Loads of this PE
// after the call are executed only after the earlier operations are complete.
void skerry_quiet(void);

// Has the effect of one skerry_quiet in every PE. Suppose that another PE stores to one word and then loads another
// word, without a fence in between. Then either its load returns what this PE stored before the call, or its store is
// visible to this PE's loads after the call. Returns false, and orders nothing, if the machine cannot do this.
bool skerry_fence_everywhere(void);
// SKERRY_OWN_STORES_FIRST: 1 if a PE's store to its own memory is visible before its next load from another PE's memory
// is executed, else 0. If it is 1, a PE that stores to its own memory and then loads from another PE's memory needs no
// skerry_fence_everywhere.
#ifndef SKERRY_OWN_STORES_FIRST
#error "the machine does not define SKERRY_OWN_STORES_FIRST"
#endif

// Keeps the compiler from moving accesses to memory across the call. The call itself adds no instruction.
void skerry_compiler_fence(void);

// -- Words of synchronisation ------------------------------------------------------------------------------------------

// skerry_word is the unsigned integer type that this machine loads and stores at the lowest cost. The layers above use
// it for words of synchronisation, for example for the numbers of their signals. PEs change such a word in one of two
// ways, never in both: by stores, one PE at a time, or by skerry_atomic_count* and skerry_atomic_claim.
//
// skerry_store_release stores `value` to a word of PE `pe` and wakes that PE. It is a release: a PE that sees the
// stored value also sees everything that this PE wrote earlier to the memory of PE `pe`.
void skerry_store_release(skerry_word *word, skerry_word value, int pe);
void skerry_store_release_32(uint32_t *word, uint32_t value, int pe);
// Stores two adjacent words as skerry_store_release does. The address `words` is a multiple of 8. Both values become
// visible at the same time.
void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int pe);
// Add `value` to a word of PE `pe`, and return the word's old value. Both functions are an acquire and a release;
// skerry_atomic_count_and_wake also wakes PE `pe`.
skerry_word skerry_atomic_count(skerry_word *word, skerry_word value, int pe);
skerry_word skerry_atomic_count_and_wake(skerry_word *word, skerry_word value, int pe);
// The next two functions are for words that PEs change by skerry_atomic_count*. skerry_atomic_poll returns the word's
// value; it is an acquire. skerry_atomic_claim compares and swaps, wakes no PE, and returns the word's old value.
skerry_word skerry_atomic_poll(const skerry_word *word, int pe);
skerry_word skerry_atomic_claim(skerry_word *word, skerry_word expected, skerry_word value, int pe);

// Do what skerry_atomic_poll and skerry_atomic_claim do, for words of 32 bits that are not of the type skerry_word. For
// words of the same width, all functions that count or claim are atomic with respect to each other. They are not atomic
// with respect to stores and puts: a store or put of the same word at the same time can be lost.
uint32_t skerry_atomic_load_32(const volatile void *word, int pe);
uint32_t skerry_atomic_claim_32(void *word, uint32_t expected, uint32_t value, int pe);

// SKERRY_LOAD_ACQUIRE(pointer): loads an aligned integer of up to 64 bits from memory that this PE can load from. The
// whole integer is read by one load. The load is an acquire: it is executed before every later access of this PE to
// memory.
#ifndef SKERRY_LOAD_ACQUIRE
#error "the machine does not define SKERRY_LOAD_ACQUIRE"
#endif

// -- Wait --------------------------------------------------------------------------------------------------------------

// Does one step of a wait for a word in PE `owner`'s memory. Use:
//     SKERRY_PAUSE(pause);
//     while (the word does not satisfy the condition) skerry_pause(&pause, owner);
// On a machine whose PEs can sleep, the first steps of a wait spin, later steps yield the processor, and further steps
// sleep until a PE calls skerry_wake(owner). A thread announces its sleep in one step and sleeps in a later step. The
// caller evaluates the condition between these two steps, so no wake-up is lost. On a machine whose PEs never sleep, a
// step does nothing.
//
// A wait ends at the end of the block that declares `pause`. A wait declared by SKERRY_PAUSE_ASLEEP(pause) omits the
// spinning and goes to sleep in its first steps.
struct skerry_pause;
void skerry_pause(struct skerry_pause *pause, int owner);
#define SKERRY_PAUSE(name) struct skerry_pause name __attribute__((cleanup(skerry_pause_end))) = SKERRY_PAUSE_INIT
#define SKERRY_PAUSE_ASLEEP(name)                                                                                      \
    struct skerry_pause name __attribute__((cleanup(skerry_pause_end))) = SKERRY_PAUSE_INIT_ASLEEP

// skerry_pause_again restarts a wait as if it began now. skerry_pause_end ends a wait. The macros above make the
// compiler call skerry_pause_end at the end of the block.
void skerry_pause_again(struct skerry_pause *pause);
void skerry_pause_end(struct skerry_pause *pause);

// Pauses this processor for a moment, for example by its pause instruction. For loops that poll memory a few times.
void skerry_relax(void);

// Wakes the threads that sleep until a word in the memory of PE `pe` changes. Called after the store that changed the
// word. Costs a load and a branch if no thread sleeps.
void skerry_wake(int pe);

// -- Time --------------------------------------------------------------------------------------------------------------

// Returns the time of a steady clock. The unit is the tick, whose length each machine chooses (skerry_ticks_per_second
// in pe.h).
uint64_t skerry_ticks(void);

#endif
