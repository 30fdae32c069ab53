// SPDX-License-Identifier: BSD-3-Clause
// The contract of a machine: every operation that hardware or an operating system gives to the floors above. Each machine.h defines
// these inline; the contract is included after it, so that the compiler holds the machine to the list. Costs are what a good machine pays.
// A symmetric address is one inside this PE's own static data or symmetric heap, or any global address; a global address names the
// same byte in every PE.
//
// Here is what the primitives stand on. Beyond it contract_pe.h has what PEs are given, which whoever starts a program starts, and
// contract_workers.h what workers are, threads that a runtime starts by itself: where a PE is said here, that is a worker too.
#ifndef SKERRY_MACHINE_CONTRACT_H
#define SKERRY_MACHINE_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// -- Who and where -----------------------------------------------------------------------------------------------------

// Rank of this PE. One load.
int skerry_my_pe(void);

// Whether more PEs run than processors are there: waiting then hands the processor over at once, and collectives
// prefer algorithms in which each PE runs once to ones with short paths. One load.
bool skerry_is_oversubscribed(void);

// Global address of the object that stands at `symmetric` in this PE, in PE `pe`. Three instructions, no load.
void *skerry_global(const volatile void *symmetric, int pe);

// SKERRY_PER_THREAD: storage class of a variable that each thread of a PE has for itself; nothing where PEs have one thread.
#ifndef SKERRY_PER_THREAD
#error "the machine does not define SKERRY_PER_THREAD"
#endif

// -- Order -------------------------------------------------------------------------------------------------------------

// Puts, atomics and stores before it become visible to each PE before those after it.
void skerry_fence(void);

// Everything this PE issued before it is visible to every PE, and its later loads are not served before that.
void skerry_quiet(void);

// What of skerry_quiet must still be done before a signal whose receiver may rely on every put before it, when the signal
// itself is a release: nothing where puts are stores.
void skerry_complete_puts(void);
// True: skerry_complete_puts would find nothing to do. False: not known. A few loads, for a caller that would rather not call.
bool skerry_nothing_to_complete(void);

// A skerry_quiet in every PE at once: a PE that stores to one word and then looks at another, without a fence, either sees there
// what this PE stored before the call, or its store is visible to this PE's loads after it. False: the machine cannot.
bool skerry_fence_everywhere(void);
// Nor need it, where SKERRY_OWN_STORES_FIRST is 1 and the word that was stored lies in the storing PE's own memory: such a store is
// visible before the PE's next load from another is served.
#ifndef SKERRY_OWN_STORES_FIRST
#error "the machine does not define SKERRY_OWN_STORES_FIRST"
#endif

// -- Atomics -----------------------------------------------------------------------------------------------------------

// On a 32 or 64 bit word at symmetric address `word` of PE `pe`. Atomic against each other and against skerry_put of an
// aligned word. A fetching operation acquires and releases; a store releases; a load acquires. Each wakes the PE when it
// writes.
#define SKERRY_CONTRACT_ATOMICS(BITS)                                                                                  \
    uint##BITS##_t skerry_atomic_load_##BITS(const volatile void *word, int pe);                                       \
    void skerry_atomic_store_##BITS(void *word, uint##BITS##_t value, int pe);                                         \
    uint##BITS##_t skerry_atomic_swap_##BITS(void *word, uint##BITS##_t value, int pe);                                \
    uint##BITS##_t skerry_atomic_compare_swap_##BITS(void *word, uint##BITS##_t expected, uint##BITS##_t value,        \
                                                     int pe);                                                          \
    uint##BITS##_t skerry_atomic_fetch_add_##BITS(void *word, uint##BITS##_t value, int pe);                           \
    uint##BITS##_t skerry_atomic_fetch_and_##BITS(void *word, uint##BITS##_t value, int pe);                           \
    uint##BITS##_t skerry_atomic_fetch_or_##BITS(void *word, uint##BITS##_t value, int pe);                            \
    uint##BITS##_t skerry_atomic_fetch_xor_##BITS(void *word, uint##BITS##_t value, int pe);                           \
    void skerry_atomic_add_##BITS(void *word, uint##BITS##_t value, int pe);                                           \
    void skerry_atomic_and_##BITS(void *word, uint##BITS##_t value, int pe);                                           \
    void skerry_atomic_or_##BITS(void *word, uint##BITS##_t value, int pe);                                            \
    void skerry_atomic_xor_##BITS(void *word, uint##BITS##_t value, int pe);
SKERRY_CONTRACT_ATOMICS(32)
SKERRY_CONTRACT_ATOMICS(64)

// A compare-swap that wakes nobody: for words that nobody waits for.
uint32_t skerry_atomic_claim_32(void *word, uint32_t expected, uint32_t value, int pe);

// -- Words of synchronisation ------------------------------------------------------------------------------------------

// skerry_word is the unsigned integer that this machine moves best, in which the floors above number their signals. Such a
// word is changed either by stores only, of one PE at a time, or by counting and claims only, and by no other operation. A post
// is a store that releases: what this PE wrote to the same PE before it is there when it is seen. It wakes the PE.
void skerry_store_release(skerry_word *word, skerry_word value, int pe);
void skerry_store_release_32(uint32_t *word, uint32_t value, int pe);
// Of two words that lie side by side, the first one's address being a multiple of eight; both are seen at once.
void skerry_store_release_pair(uint32_t *words, uint32_t first, uint32_t second, int pe);
// A fetching addition, without and with waking the PE.
skerry_word skerry_atomic_count(skerry_word *word, skerry_word value, int pe);
skerry_word skerry_atomic_count_and_wake(skerry_word *word, skerry_word value, int pe);
// A load that acquires of a word that any PE counts, and a compare-swap of it that wakes nobody.
skerry_word skerry_atomic_poll(const skerry_word *word, int pe);
skerry_word skerry_atomic_claim(skerry_word *word, skerry_word expected, skerry_word value, int pe);

// SKERRY_LOAD_ACQUIRE(pointer): the value of an aligned integer of up to 64 bits in memory this PE can load from, read
// once and whole, before everything after it.
#ifndef SKERRY_LOAD_ACQUIRE
#error "the machine does not define SKERRY_LOAD_ACQUIRE"
#endif

// -- Wait --------------------------------------------------------------------------------------------------------------

// One step of waiting for a word of PE `owner`'s memory to change. Used as
//     SKERRY_PAUSE(pause);
//     while (the word does not satisfy the condition) skerry_pause(&pause, owner);
// Spins at first, then hands the processor over, then sleeps until the word's owner is woken. The condition is always
// evaluated again between the announcement that this thread will sleep and the sleep itself, which is what makes a
// wake-up impossible to lose.
// It ends with the block that it is declared in. SKERRY_PAUSE_ASLEEP(pause) begins where the other ends: asleep.
struct skerry_pause;
void skerry_pause(struct skerry_pause *pause, int owner);
#define SKERRY_PAUSE(name) struct skerry_pause name __attribute__((cleanup(skerry_pause_end))) = SKERRY_PAUSE_INIT
#define SKERRY_PAUSE_ASLEEP(name)                                                                                      \
    struct skerry_pause name __attribute__((cleanup(skerry_pause_end))) = SKERRY_PAUSE_INIT_ASLEEP

// The same wait, as if it began now; and the end of one.
void skerry_pause_again(struct skerry_pause *pause);
void skerry_pause_end(struct skerry_pause *pause);

// The address by which this PE had best poll a word, or an array, of its own memory. Loads only, and every look by this
// address: a look by the usual one brings the line back to where it is in the way.
void *skerry_poll_address(const volatile void *word);

// After a look that found nothing, in a routine that does not wait: hands the processor over when the job is crowded.
void skerry_poll_again(void);

// Before a routine of a model that only looks and that programs poll with: a get, a fetch, a compare-and-swap, quiet. Oversubscribed PEs
// then hand the processor over now and then; elsewhere it is a branch on a constant. `address` is the word that is read, or null.
void skerry_may_be_polling(const volatile void *address);

// A moment, in a loop that looks at memory a few times.
void skerry_relax(void);

// A hint: this PE will soon write the line of a global address that others have read. Never faults.
void skerry_expect_to_write(void *address);

// Tells PE `pe` that a word of its memory has changed, after the store that changed it. A load and a branch.
void skerry_wake(int pe);

// Whether the machine has a barrier of its own for all PEs of this job, and that barrier: waits until every PE has called
// it, and orders nothing.
bool skerry_has_hardware_barrier(void);
void skerry_hardware_barrier(void);

// -- Time --------------------------------------------------------------------------------------------------------------

// A steady clock, in ticks, and how many of them a second has.
uint64_t skerry_ticks(void);
uint64_t skerry_ticks_per_second(void);

#endif
