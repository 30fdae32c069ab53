// SPDX-License-Identifier: BSD-3-Clause
// The contract of a machine, as far as it is for PEs: see contract.h.
#ifndef SKERRY_MACHINE_CONTRACT_PE_H
#define SKERRY_MACHINE_CONTRACT_PE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// -- Who and where -----------------------------------------------------------------------------------------------------

// Count of PEs. One load.
int skerry_pe_count(void);

// A rank times a stride of ranks: where multiplying is dear, the usual stride of 1 is not.
int skerry_times(int rank, int stride);

// PE whose memory a global address names. Two instructions.
int skerry_owner(const volatile void *global);

// This PE's own address of what `global` names in whichever PE: the inverse of skerry_global.
void *skerry_localize(const volatile void *global);

// Whether [address, address + bytes) lies inside this PE's static data or symmetric heap, or inside the same of any PE
// as a global address.
bool skerry_is_symmetric(const volatile void *address, size_t bytes);

// -- Copy --------------------------------------------------------------------------------------------------------------

// Copies `bytes` bytes to (from) the object at symmetric address `dest` (`source`) of PE `pe`. On return of a put the
// source may be reused; on return of a get the data is there. Regions must not overlap unless equal. Wakes the PE.
void skerry_put(void *dest, const void *source, size_t bytes, int pe);
void skerry_get(void *dest, const void *source, size_t bytes, int pe);

// The same, possibly completed only by skerry_quiet.
void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe);
void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe);

// Copies `blocks` blocks of `block_bytes` bytes, block i from source + i * source_stride to dest + i * dest_stride
// (strides in bytes).
void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);
void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);

// Copies between two places this PE can load from and store to, global addresses included; wakes nobody.
void skerry_copy(void *dest, const void *source, size_t bytes);

// Copies a block as skerry_copy does. It is one of many that the PEs of a group copy at the same time; `all` is the number of bytes that
// all these copies read and write. If the machine's caches cannot hold as many, the block is moved past them.
void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all);

// Copies a few bytes as skerry_copy does, but inline, so that a hot path needs no call and saves no registers. Returns false, and
// copies nothing, for a size that this machine does not copy so. The regions must not overlap.
bool skerry_copy_short(void *dest, const void *source, size_t bytes);

// What was measured to be best on this machine for a stream of messages from one PE to another: so many lines ahead of the one that it
// fills, its only sender had best call skerry_expect_to_write; for so many calls of skerry_relax, a reader that has caught up had best not
// look. 0: not at all.
unsigned skerry_stream_lines_ahead(void);
unsigned skerry_stream_moments_back(void);

// -- Interrupts: machines with SKERRY_INTERRUPT_NUMBERS above 0 --------------------------------------------------------
#if SKERRY_INTERRUPT_NUMBERS

// Another PE's attention, by number. A handler runs at least once after each raise and sees what the raiser stored to
// this PE before; several raises may share one run. It interrupts the program wherever interrupts are not masked, waits of the
// library included, and only handlers of higher priority interrupt it; it must not wait for another PE. A number that waits
// when it has no handler waits for one.
typedef void skerry_handler(void);
void skerry_interrupt(int pe, int number);
void skerry_on_interrupt(int number, skerry_handler *handler);

// All interrupts of this PE off, and as they were: not for long, and without waiting for a PE, because others may wait for
// a handler.
uint32_t skerry_mask_interrupts(void);
void skerry_unmask_interrupts(uint32_t mask);

#endif

// -- Requests: machines on which a PE that waits looks for them (SKERRY_REQUEST_PARTS above 0) ---------------------------
#if SKERRY_REQUEST_PARTS
#ifdef SKERRY_BUILD // only the library itself uses these, and without a detour
#pragma GCC visibility push(hidden)
#endif

// As skerry_on_interrupt, for a request that most programs never get: this PE's waits do not look for requests, and cost as
// little as without the handler, until the first one has interrupted it.
void skerry_on_rare_interrupt(int number, skerry_handler *handler);

// While this PE waits, and when it is interrupted if `when_interrupted`, the handler of `number` also runs whenever *word is
// `value`; it sets the next one. NULL: none.
void skerry_watch(int number, const uint32_t *word, uint32_t value, bool when_interrupted);

// After a store that PE `pe` watches for: makes it look. True if it was interrupted for that, false if it is looking already.
bool skerry_interrupt_pe(int pe);

// The same without an interruption: true if it is looking. Costs a full fence and a few loads, of lines that change seldom.
bool skerry_notify_pe(int pe);

// Whether PE `pe` need not be interrupted: it is looking, or about to.
bool skerry_is_polling_requests(int pe);

// Whether this thread runs a handler; whether the handler has interrupted the program.
bool skerry_in_handler(void);
bool skerry_in_interrupt(void);

// The function that this thread runs for another PE, for messages; NULL: none, or one without a name.
#ifdef SKERRY_BUILD
extern SKERRY_PER_THREAD const char *skerry_handled_function;
#endif

// Handlers may run from now on, if they could not before: until skerry_job_open, what a request names may not be there.
void skerry_accept_requests(void);

// Runs the handlers that are due, also when interrupts are masked. True: there were some.
bool skerry_progress_now(void);

// How others make this PE look when it computes: 0 not at all, 1 by interrupting it, 2 by a thread of its own that runs the
// handlers beside the program. False: not to be had.
bool skerry_set_attention(int how);

// Whether a PE takes part in the job: its memory is there and it serves.
bool skerry_is_running(int pe);

// This PE's part of the memory in which requests arrive, for one model: the same offset in every PE, zeroed.
void *skerry_request_memory(int part, size_t *bytes);

#ifdef SKERRY_BUILD
#pragma GCC visibility pop
#endif
#endif

// -- Memory ------------------------------------------------------------------------------------------------------------

// This PE's symmetric heap: the same offset and size in every PE, zero until touched.
void *skerry_heap_memory(size_t *bytes);

// This PE's part of the memory that the runtime itself shares: symmetric, zeroed, aligned to a page.
void *skerry_system_memory(size_t *bytes);

// Memory that no PE owns, at the same address in every PE; zero bytes where there is none. Never symmetric.
void *skerry_shared_memory(size_t *bytes);

// This PE's part of the memory for tables by which PEs find what others have: symmetric, zeroed before the first program ran,
// aligned to a page, and at the same place in every process of the job, whatever program it runs. Zero bytes: there is none.
void *skerry_table_memory(size_t *bytes);

// Whether it is in memory that no PE owns, where puts, gets and atomics to a PE do not go: only loads and stores do, and the
// next two. false where such memory has a place among the PEs' own.
bool skerry_is_outside(const volatile void *address);

// A load, and a store of `value` if the word is `expected`, of a word outside, as one; each PE's earlier stores there are seen by
// whoever sees it. Returns what it was.
uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value);

// Copies from outside to memory of this PE, and has it there after skerry_fence.
void skerry_outside_get(void *dest, const void *source, size_t bytes);

// Stores of this PE's own went to memory of PE `pe`, or outside: skerry_quiet waits for them too.
void skerry_note_stores(const volatile void *address, int pe);

// -- Another PE's memory without a place of its own: machines without SKERRY_PRIVATE_MEMORY ------------------------------
#if !SKERRY_PRIVATE_MEMORY

// The address by which every PE reaches memory of this PE's, of another's or of no PE's, and whose it is (-1: no PE's). NULL: there
// is none.
void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner);

#endif

// -- Another PE's memory that is not mapped here: machines with SKERRY_PRIVATE_MEMORY ----------------------------------
#if SKERRY_PRIVATE_MEMORY

// Copies `blocks` blocks of `block_bytes` bytes between memory of this PE and any memory of PE `pe` by its own addresses.
// Wakes nobody. A system call for some dozen blocks.
enum skerry_cross_memory {
    SKERRY_CROSS_MEMORY_DONE,
    SKERRY_CROSS_MEMORY_REFUSED, // this PE may not: never try again
    SKERRY_CROSS_MEMORY_FAULT    // nothing is there; some blocks may have been copied
};
enum skerry_cross_memory skerry_cross_memory_put(uintptr_t dest, const void *source, ptrdiff_t dest_stride,
                                                 ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe);
enum skerry_cross_memory skerry_cross_memory_get(void *dest, uintptr_t source, ptrdiff_t dest_stride,
                                                 ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe);

// Whether this PE may load from all of a range, or store to it too. Neither changes a byte, whatever others store meanwhile. A
// system call for each page, or two.
bool skerry_is_readable(const void *address, size_t bytes);
bool skerry_is_writable(void *address, size_t bytes);

// Lets the PEs of this job reach this one, where the system leaves that to it.
void skerry_cross_memory_allow(void);

#endif

// -- Job ---------------------------------------------------------------------------------------------------------------

// What the machine must know of a programming model: the routines by which a program begins and ends it, for messages, and
// what is called when a program that has not ended it returns 0 from main or calls exit(0) in its main thread: `finish`
// reports that (skerry_job_report_unfinished) and leaves as often as is missing. A machine on which a program's end
// is not noticed never calls it.
struct skerry_model {
    const char *init;
    const char *finalize;
    void (*finish)(void);
};

// Set-up: before the first, nothing but system memory of other PEs may be touched. `enter` says that this PE is in
// the set-up of a programming model, and is called for each set-up; `open` is called after all have said so and makes
// their data and heaps reachable.
void skerry_job_enter(const struct skerry_model *model);
void skerry_job_open(void);
bool skerry_job_is_open(void);

// As often as it has entered all its models, this PE has left the job in order: it may end without being taken for a failure.
void skerry_job_leave(const struct skerry_model *model);
// All at once, for programs that need not leave.
void skerry_job_leave_all(void);

// Says in one line what the ending program has left out, once a job; with `refuse` the job ends by it.
void skerry_job_report_unfinished(bool refuse);

// Bytes of the heap that were in use at most, for the launcher's statistics.
void skerry_job_note_heap(size_t peak_bytes);

// Ends this process with `status` as a program does that returns from main, and with it the whole job.
SKERRY_NORETURN void skerry_job_exit(int status);

// A number from 0 to `most`, below LONG_MAX / 10. Anything else ends the job with a line. Only on machines with SKERRY_REQUEST_PARTS.
long skerry_number_setting(const char *name, long otherwise, long most);

// Returns the index of the word that a user has set under this name, in any case and with blanks round it; -1 if nothing is set.
// Anything else ends the job with a line that says `rule`. Machines with SKERRY_CAN_CHECK.
int skerry_word_setting(const char *name, const char *const *words, int count, const char *rule);

// Calls `function` when the program ends in the normal way; not if it ends with a code other than 0, where that is known.
void skerry_at_exit(void (*function)(void));

// Number that names the calling thread among those of this PE and never 0.
uintptr_t skerry_thread_identity(void);

// The smallest number from 0 that no other thread of this PE has had since it began and asked; SKERRY_THREAD_NUMBERS when there is
// none below it, which several threads may have then.
int skerry_thread_number(void);

// SKERRY_EACH_PE: attribute of a symmetric array of the library's own, declared with one element, NAME, that is to have one for
// each PE; only machines with SKERRY_CHANNELS.

// SKERRY_CAN_CHECK: 1 where the checks of `oshcc --check` have room, else 0: they are not compiled then.
#ifndef SKERRY_CAN_CHECK
#error "the machine does not define SKERRY_CAN_CHECK"
#endif

// -- Programs: machines with SKERRY_PROGRAMS_MAX above 0 ---------------------------------------------------------------
#if SKERRY_PROGRAMS_MAX

// The only PE of a job, PE 0, may make it a job of 1 + SKERRY_PROGRAMS_MAX PEs, and start programs in the others' places:
// other images, so that no static data is symmetric, and at no time all of them. The end of PE 0 is the end of all; a
// program that dies by a signal, or stops by a mistake that it reported, ends all too.

// Whether this is such a job.
bool skerry_has_programs(void);

// Makes room, once; `at_once` is how many PEs may run at the same time. False: this job has more than one PE.
bool skerry_programs_admit(int at_once);
// Starts a program as PE `pe`, in whose place none runs: `name` is a path, or else found beside PE 0's program, in the
// working directory, or where the system looks. Its main gets exactly these arguments; no environment means PE 0's.
// `title` names it in messages. False, after a line that says why, where it cannot be started.
bool skerry_program_start(int pe, const char *title, const char *name, const char *const *arguments,
                          const char *const *environment);
// Whether the program of a PE runs; waits until it does not, and gives its exit code (-1: none was started).
bool skerry_program_runs(int pe);
int skerry_program_wait(int pe);

// PE 0's heap as all programs of such a job have it a second time, at the same place with short addresses.
void *skerry_common_memory(size_t *bytes);

// Runs a function in a thread of its own that no signal of the program's reaches, until the program ends.
void skerry_run_beside(void (*function)(void));

// Lets another thread or program have the processor.
void skerry_yield(void);

#endif

// -- Ending ------------------------------------------------------------------------------------------------------------

// Writes one line, "skerry: PE n: routine: text", where a user sees errors, and ends the job with a non-zero code.
SKERRY_NORETURN void skerry_fail(const char *routine, const char *text);
// The same; each # of the text stands for the next value in decimal, each @ for the next as an address.
SKERRY_NORETURN void skerry_fail_values(const char *routine, const char *text, const long *values, int count);
// Writes the same line and returns. Machines with SKERRY_CAN_CHECK.
void skerry_tell_values(const char *routine, const char *text, const long *values, int count);

#endif
