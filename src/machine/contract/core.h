// SPDX-License-Identifier: BSD-3-Clause
// Declares the contract of a machine: the operations that the hardware or the operating system provides for the layers
// above. The machine.h of each machine defines these operations, inline if they are short. This file has the operations
// that src/primitive/ uses. It states costs for a machine that implements the operations well.
//
// How the parts fit together:
// * ../machine.h includes the machine's machine.h and then the contract. So the compiler compares definitions with
//   declarations.
// * A machine can lack some operations. In this case it defines the operations' macro as 0, and the layers above do not
//   use them.
// * test/structure/contract.py compares the declarations of the contract, the definitions of each machine, and the uses
//   by the layers above.
// * pe.h adds the operations of PEs, which the user or the launcher starts. pe.h includes interrupt.h and programs.h.
// * workers.h adds the operations of workers, which are threads that a runtime starts by itself. In this file "PE"
//   means a PE or a worker.
//
// Two kinds of address:
// * A global address names the same byte in every PE.
// * A symmetric address is an address inside this PE's own static data or symmetric heap, or any global address.
#ifndef SKERRY_MACHINE_CONTRACT_CORE_H
#define SKERRY_MACHINE_CONTRACT_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// -- Macros ------------------------------------------------------------------------------------------------------------

// Each machine defines these macros before this file is included:
//     SKERRY_ALWAYS_INLINE        begins the definition of a function that is inlined at every call
//     SKERRY_PRIVATE              attribute of functions and objects that only the library uses
//     SKERRY_COLD                 attribute of rarely called functions. The compiler can place them far from other code.
//     SKERRY_NORETURN             attribute of functions that do not return
//     SKERRY_LINE                 bytes that a PE reads or writes together in memory: a cache line
//     SKERRY_FALSE_SHARING_RANGE  bytes: two words that are this far apart do not slow each other's writers
// A machine with PEs also defines the names of two headers:
//     SKERRY_CONFIG_HEADER        what the layers above choose for this machine (a path from src/config)
//     SKERRY_CALL_HEADER          how the arguments of a remote procedure call are saved and loaded (a path from
//                                 src/machine). Not defined on a machine without remote procedure calls.
#if !defined(SKERRY_ALWAYS_INLINE) || !defined(SKERRY_PRIVATE) || !defined(SKERRY_COLD) || !defined(SKERRY_NORETURN)
#error "the machine does not define all of SKERRY_ALWAYS_INLINE, SKERRY_PRIVATE, SKERRY_COLD, SKERRY_NORETURN"
#endif
#if !defined(SKERRY_LINE) || !defined(SKERRY_FALSE_SHARING_RANGE)
#error "the machine does not define SKERRY_LINE and SKERRY_FALSE_SHARING_RANGE"
#endif

// -- Who and where -----------------------------------------------------------------------------------------------------

// Returns the rank of this PE. Costs one load.
int skerry_my_pe(void);

// Returns true if more PEs are awake than there are processors. A wait of an oversubscribed PE yields the processor at
// its first failed poll. Collectives of oversubscribed PEs choose algorithms in which each PE must get a processor only
// one time. The length of the critical path matters less there. Costs one load.
bool skerry_is_oversubscribed(void);

// Returns the global address, in PE `pe`, of the object whose symmetric address is `symmetric`. All PEs of the job get
// the same result. If PE `pe` is on another node (skerry_is_near, pe.h), the global address only identifies the object,
// and an access to the address faults. Costs three instructions and no load.
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

// Completes this PE's earlier puts, gets, atomics and stores: every PE sees them on return. The processor executes
// later loads of this PE only after the earlier operations are complete. A program can poll by quiet, so skerry_quiet
// also does what skerry_may_be_polling (pe.h) does.
void skerry_quiet(void);

// Has the effect of one skerry_quiet in every PE. Suppose that another PE stores to word A and then loads word B,
// without a fence in between. Then at least one of two things is true:
// * the other PE's load of B returns what this PE stored to B before the call
// * this PE's loads of A after the call see the other PE's store
// Returns false, and orders nothing, if the machine cannot do this.
bool skerry_fence_everywhere(void);
// SKERRY_OWN_STORES_FIRST: 1 if a PE's store to its own memory becomes visible before the PE's next load from another
// PE's memory. 0: the load can be first. If the macro is 1, a PE that makes such a store and such a load does not need
// skerry_fence_everywhere.
#ifndef SKERRY_OWN_STORES_FIRST
#error "the machine does not define SKERRY_OWN_STORES_FIRST"
#endif

// Keeps the compiler from moving accesses to memory across the call. The call itself adds no instruction.
void skerry_compiler_fence(void);

// -- Words of synchronisation ------------------------------------------------------------------------------------------

// skerry_word is the unsigned integer type that this machine loads and stores at the lowest cost. The layers above use
// it for synchronisation, for example for the numbers of their signals. PEs change such a word in one of two ways,
// never in both:
// * by stores, one PE at a time
// * by the atomic operations skerry_atomic_count* and skerry_atomic_claim
//
// skerry_store_release stores `value` to a word of PE `pe` and wakes that PE. The store is a release: a PE that sees
// `value` also sees everything that this PE wrote earlier to the memory of PE `pe`.
void skerry_store_release(skerry_word *word, skerry_word value, int pe);
void skerry_store_release_32(uint32_t *word, uint32_t value, int pe);
// Stores two adjacent words as skerry_store_release stores one word. The address `words` is a multiple of 8. Both
// values become visible at the same time.
void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int pe);
// Add `value` to a word of PE `pe`, and return the word's old value. Both functions are an acquire and a release.
// skerry_atomic_count_and_wake also wakes PE `pe`.
skerry_word skerry_atomic_count(skerry_word *word, skerry_word value, int pe);
skerry_word skerry_atomic_count_and_wake(skerry_word *word, skerry_word value, int pe);
// The next two functions are for words that PEs change by skerry_atomic_count*. skerry_atomic_poll returns the word's
// value, and is an acquire. skerry_atomic_claim is a compare-and-swap that returns the word's old value and wakes no
// PE.
skerry_word skerry_atomic_poll(const skerry_word *word, int pe);
skerry_word skerry_atomic_claim(skerry_word *word, skerry_word expected, skerry_word value, int pe);

// Do what skerry_atomic_poll and skerry_atomic_claim do, for words of 32 bits that are not of the type skerry_word. For
// words of the same width, all functions that count or claim are atomic with respect to each other. They are not atomic
// with respect to stores and puts: a simultaneous store or put of the same word can be lost.
uint32_t skerry_atomic_load_32(const volatile void *word, int pe);
uint32_t skerry_atomic_claim_32(void *word, uint32_t expected, uint32_t value, int pe);

// SKERRY_LOAD_ACQUIRE(pointer): loads an aligned integer of up to 64 bits by one load, from memory that this PE can
// load from. The load is an acquire: the PE executes all later accesses to memory after this load.
#ifndef SKERRY_LOAD_ACQUIRE
#error "the machine does not define SKERRY_LOAD_ACQUIRE"
#endif

// -- Wait --------------------------------------------------------------------------------------------------------------

// Does one step of a wait for a word in PE `owner`'s memory. Use:
//     SKERRY_PAUSE(pause);
//     while (the word does not satisfy the condition) skerry_pause(&pause, owner);
// The wait ends at the end of the block that declares `pause`. On a machine whose PEs never sleep, a step does nothing.
// On other machines:
// * The first steps spin, later steps yield the processor, and further steps sleep until a PE calls skerry_wake(owner).
// * A thread announces its sleep in one step and sleeps in a later step. The caller evaluates the condition between
//   these two steps, so no wake-up is lost.
// * A wait that SKERRY_PAUSE_ASLEEP(pause) declares does not spin. It goes to sleep in its first steps.
struct skerry_pause;
void skerry_pause(struct skerry_pause *pause, int owner);
#define SKERRY_PAUSE(name) struct skerry_pause name __attribute__((cleanup(skerry_pause_end))) = SKERRY_PAUSE_INIT
#define SKERRY_PAUSE_ASLEEP(name)                                                                                      \
    struct skerry_pause name __attribute__((cleanup(skerry_pause_end))) = SKERRY_PAUSE_INIT_ASLEEP

// skerry_pause_again restarts a wait as if it began now. skerry_pause_end ends a wait. The macros above make the
// compiler call skerry_pause_end at the end of the block.
void skerry_pause_again(struct skerry_pause *pause);
void skerry_pause_end(struct skerry_pause *pause);

// Pauses this processor for a moment, for example by its pause instruction. Used in loops that poll memory a few times.
void skerry_relax(void);

// Wakes the threads that sleep until a word in the memory of PE `pe` changes. The caller has just changed such a word.
// Costs a load and a branch if no thread sleeps.
void skerry_wake(int pe);

// -- Time --------------------------------------------------------------------------------------------------------------

// Returns the time of a steady clock in ticks. Each machine chooses the length of a tick (skerry_ticks_per_second in
// pe.h).
uint64_t skerry_ticks(void);

#endif
