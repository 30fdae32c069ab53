// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for PEs: the operations that a machine provides if the program's processes
// or cores are PEs. core.h explains the terms.
#ifndef SKERRY_MACHINE_CONTRACT_PE_H
#define SKERRY_MACHINE_CONTRACT_PE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// -- Macros ------------------------------------------------------------------------------------------------------------

// Each machine with PEs defines these macros.
//     SKERRY_PES_MAX           largest number of PEs of a job
//     SKERRY_THREADS           1: a PE can have several threads
//     SKERRY_THREAD_NUMBERS    how many threads of a PE can have a number (skerry_thread_number)
//     SKERRY_ONE_PROGRAM       1: all PEs run the same program, so the programs of all PEs contain the same functions
//     SKERRY_PRIVATE_MEMORY    1: a PE has memory that other PEs cannot load from and store to
//     SKERRY_FAR_PES           1: a job can have PEs that are not near (skerry_is_near)
//     SKERRY_FAR_MESSAGES      1: PEs can send messages to such PEs (far.h)
//     SKERRY_HARDWARE_BARRIER  1: the machine possibly has a hardware barrier (skerry_has_hardware_barrier)
#if !defined(SKERRY_PES_MAX) || !defined(SKERRY_THREADS) || !defined(SKERRY_THREAD_NUMBERS)
#error "the machine does not define all of SKERRY_PES_MAX, SKERRY_THREADS, SKERRY_THREAD_NUMBERS"
#endif
#if !defined(SKERRY_FAR_PES) || !defined(SKERRY_FAR_MESSAGES)
#error "the machine does not define SKERRY_FAR_PES and SKERRY_FAR_MESSAGES"
#endif
#if !defined(SKERRY_ONE_PROGRAM) || !defined(SKERRY_PRIVATE_MEMORY) || !defined(SKERRY_HARDWARE_BARRIER)
#error "the machine does not define all of SKERRY_ONE_PROGRAM, SKERRY_PRIVATE_MEMORY, SKERRY_HARDWARE_BARRIER"
#endif

// SKERRY_CAN_CHECK: 1 if the machine has enough memory for the checks of `oshcc --check`, else 0. If it is 0, the
// checks are not compiled.
#ifndef SKERRY_CAN_CHECK
#error "the machine does not define SKERRY_CAN_CHECK"
#endif

// -- Who and where -----------------------------------------------------------------------------------------------------

// Returns the number of PEs of the job. Costs one load.
int skerry_pe_count(void);

// Returns rank * stride, for ranks of PEs. On a machine where a multiplication is expensive, the function omits the
// multiplication for the usual stride of 1.
int skerry_times(int rank, int stride);

// Returns the rank of the PE to whose memory a global address belongs. The PE that owns the memory can be on any node.
// Costs two instructions.
int skerry_owner(const volatile void *global);

// Returns the address of this PE's own copy of a symmetric object. `global` is a global address of the object in any
// PE. This is the inverse of skerry_global.
void *skerry_localize(const volatile void *global);

// Returns true if all bytes of [address, address + bytes) lie in static data or in a symmetric heap. `address` is an
// address in this PE's own data or heap, or a global address in any PE's data or heap.
bool skerry_is_symmetric(const volatile void *address, size_t bytes);

// -- Copy --------------------------------------------------------------------------------------------------------------

// A put copies `bytes` bytes to the object at symmetric address `dest` of PE `pe`, and wakes that PE. A get copies
// `bytes` bytes from the object at symmetric address `source` of PE `pe`. Source and destination are equal or do not
// overlap.
// * When a put returns, the program is allowed to change the source. When a get returns, the data is at its
//   destination.
// * A program can poll by skerry_get. So skerry_get also does what skerry_may_be_polling (below) does.
void skerry_put(void *dest, const void *source, size_t bytes, int pe);
void skerry_get(void *dest, const void *source, size_t bytes, int pe);

// skerry_put_value(TYPE, dest, value, pe) and skerry_get_value(TYPE, source, pe) are macros that put and get one word
// in one access. TYPE is an integer of 1, 2, 4 or 8 bytes, or long double. A program can poll by skerry_get_value. So
// skerry_get_value also does what skerry_may_be_polling (below) does.

// Does what skerry_put does, and then changes the 64-bit word at symmetric address `signal` of the same PE: adds `value`
// to it if `adds` is true, stores `value` to it if not. A PE that sees the new value of the word also sees the data.
void skerry_put_signal_64(void *dest, const void *source, size_t bytes, uint64_t *signal, uint64_t value, bool adds,
                          int pe);

// Start copies as skerry_put and skerry_get do, and return possibly before the copies are complete (non-blocking). The
// copies are complete when the next skerry_quiet has returned.
void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe);
void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe);

// Copy `blocks` blocks of `block_bytes` bytes as skerry_put and skerry_get do. Block i goes from source + i *
// source_stride to dest + i * dest_stride. Strides are in bytes.
void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);
void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);

// Copies between two addresses that this PE can load from and store to, global addresses included. Wakes no PE.
void skerry_copy(void *dest, const void *source, size_t bytes);

// Returns true if this PE can load from and store to the memory of PE `pe`, at the addresses that skerry_global
// returns. On a machine of one node every PE is near.
bool skerry_is_near(int pe);

// Tells the compiler that PE `pe` is near, so that the functions that follow need no test for it. Adds no instruction. If
// the PE is not near, the behaviour is undefined.
void skerry_assume_near(int pe);

// Copies to the object at symmetric address `dest` of PE `pe`, as skerry_put does, with two differences: it wakes no
// PE, and a copy to a near PE (skerry_is_near) is complete on return.
void skerry_copy_to(void *dest, const void *source, size_t bytes, int pe);

// Copies a block as skerry_copy does. The block is one of many that the PEs of a group copy at the same time. `all` is
// the number of bytes that all these copies read and write. If `all` bytes do not fit in the machine's caches, the copy
// bypasses the caches.
void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all);

// Copies a few bytes as skerry_copy does, but inline. So a frequently executed path needs no call and saves no
// registers. Returns false, and copies nothing, for a size that this machine does not copy inline. Source and
// destination must not overlap.
bool skerry_copy_short(void *dest, const void *source, size_t bytes);

// Return two parameters of a stream of messages (a queue with only one sender). Each machine chooses its best values,
// for example by measuring.
//     skerry_stream_lines_ahead    While the sender fills a cache line, it prefetches a later line by
//                                  skerry_expect_to_write. The result says how many lines later this line is. 0: the
//                                  sender does not prefetch.
//     skerry_stream_moments_back   A reader that has read all messages calls skerry_relax several times before its next
//                                  poll. The result says how many times. 0: the reader polls at once.
unsigned skerry_stream_lines_ahead(void);
unsigned skerry_stream_moments_back(void);

// -- Order and completion ----------------------------------------------------------------------------------------------

// Completes this PE's earlier puts, except puts that a later release orders in any case. A sender calls this function
// before it stores a signal by a release, if the receiver will read the data of these puts. On some machines all puts
// are stores, which a release orders. There the function does nothing.
void skerry_complete_puts(void);
// Returns true if skerry_complete_puts would have nothing to do. The caller then need not call skerry_complete_puts.
// Returns false if this is not known. Costs only a few inline loads.
bool skerry_nothing_to_complete(void);

// -- Atomics -----------------------------------------------------------------------------------------------------------

// Atomic operations on an aligned word of 32 or 64 bits at symmetric address `word` of PE `pe`. Each operation that
// writes the word wakes PE `pe`. An operation that returns the old value is an acquire and a release. A store is a
// release, and a load is an acquire.
// * Operations of the same width are atomic with respect to each other. They are also atomic with respect to the
//   operations of core.h that count or claim words of this width.
// * A put of one such word, by skerry_put, skerry_put_value or a store, is atomic with respect to skerry_atomic_load
//   only. The load returns the whole old value or the whole new value.
// * If a put and another operation of this list access a word at the same time, the put's value can be lost. Reason: a
//   machine can load the word and store it later, under a lock that puts do not take.
// * So a PE must put such a word only while no other PE changes the word.
// * skerry_atomic_fetch_32 and skerry_atomic_fetch_64 do what skerry_atomic_load does, for routines by which a program can
//   poll. So they also do what skerry_may_be_polling (below) does.
#define SKERRY_CONTRACT_ATOMICS(BITS)                                                                                  \
    uint##BITS##_t skerry_atomic_load_##BITS(const volatile void *word, int pe);                                       \
    uint##BITS##_t skerry_atomic_fetch_##BITS(const volatile void *word, int pe);                                      \
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

#if LONG_MAX <= INT32_MAX
// Stores the upper 16 bits of `value` to the upper 16 bits of a word of 32 bits, and returns the old word: an operation of
// the list above that returns the old value. Used by locks, which on these machines have two fields in a word. Needs one
// attempt, however often other PEs change the word. A loop of compare-swaps would need one more after each change.
uint32_t skerry_atomic_swap_upper_32(void *word, uint32_t value, int pe);
#endif

// -- Polling, and hints ------------------------------------------------------------------------------------------------

// Returns the address at which this PE polls a word, or an array, of its own memory fastest. The address is for loads
// only. Some machines map a PE's own memory at a second address. At this address its cache lines do not conflict in the
// cache with the lines of other PEs (docs/design/waiting.md). On such a machine every poll must use this address,
// because a poll at the usual address would load the line at the conflicting address. Other machines return `word`
// itself.
void *skerry_poll_address(const volatile void *word);

// Yields the processor if more PEs are awake than there are processors (skerry_is_oversubscribed). A routine that makes
// one poll and does not wait, such as shmem_test, calls this function after the poll has failed.
void skerry_poll_again(void);

// Called at the beginning of each atomic routine by which a program can poll, for example a compare-and-swap. skerry_get,
// skerry_get_value, skerry_atomic_fetch_32 and skerry_quiet (core.h) do the same themselves. If more PEs are awake than
// there are processors, some of these calls yield the processor. If not, a call costs at most a load and a branch.
// `address` is the word that the routine reads, or NULL if the routine reads no word.
void skerry_may_be_polling(const volatile void *address);

// Gives the processor a hint: this PE will soon write the cache line at a global address, which other PEs have read.
// Never faults.
void skerry_expect_to_write(void *address);

// skerry_has_hardware_barrier returns true if all PEs of this job can use a barrier in hardware.
// skerry_hardware_barrier executes this barrier: it waits until every PE of the job has called it. The barrier orders
// no memory accesses.
bool skerry_has_hardware_barrier(void);
void skerry_hardware_barrier(void);

// Returns the number of ticks of skerry_ticks in a second.
uint64_t skerry_ticks_per_second(void);

// -- Memory ------------------------------------------------------------------------------------------------------------

// The following functions that return memory store its size in *bytes.

// Returns this PE's symmetric heap, which has the same offset and size in every PE. Its bytes are zero until a PE
// writes them.
void *skerry_heap_memory(size_t *bytes);

// Returns this PE's part of the memory that the library itself uses. The memory is symmetric, zeroed, and aligned to a
// page.
void *skerry_system_memory(size_t *bytes);

// Returns memory that no PE owns, at the same address in every PE. The memory is never symmetric. *bytes is 0 if the
// machine has no such memory.
void *skerry_shared_memory(size_t *bytes);

// Returns this PE's part of the table memory, for tables in which PEs find objects of other PEs. The memory is
// symmetric, aligned to a page, and zero when the first program of the job begins. Its place is the same in every
// process of the job, whatever program the process runs. *bytes is 0 if the machine has no table memory.
void *skerry_table_memory(size_t *bytes);

// Returns true if `address` is in outside memory: memory that no PE owns and that lies in no PE's partition (the part
// of the address space that belongs to one PE). Puts, gets and atomics cannot access such memory, because their
// arguments contain a PE. Only loads, stores, and the functions skerry_outside_* can. On some machines the memory that
// no PE owns lies in some PE's partition. There the function always returns false.
bool skerry_is_outside(const volatile void *address);

// Compares and swaps a word of outside memory (memory of no PE, skerry_is_outside), atomically with respect to other
// calls of this function. If the word is `expected`, stores `value`. Returns the old value. A PE that sees the new
// value also sees all earlier stores of this PE to outside memory.
uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value);

// Copies from outside memory (memory of no PE, skerry_is_outside) to memory of this PE. The copy is complete after the
// next skerry_fence.
void skerry_outside_get(void *dest, const void *source, size_t bytes);

// Records that this PE has made plain stores at `address`, which is in memory of PE `pe` or in outside memory (memory
// of no PE, skerry_is_outside). The next skerry_quiet then also waits for these stores.
void skerry_note_stores(const volatile void *address, int pe);

// -- Another PE's memory that is not symmetric: machines without SKERRY_PRIVATE_MEMORY --------------------------------
#if !SKERRY_PRIVATE_MEMORY

// Returns the address at which every PE can access the bytes [address, address + bytes). Returns NULL if there is no
// such address. The bytes belong to this PE, to another PE or to no PE. Stores in *owner the rank of the PE that owns
// these bytes, or -1 if no PE owns them.
void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner);

#endif

// -- Another PE's memory that is not mapped here: machines with SKERRY_PRIVATE_MEMORY ---------------------------------
#if SKERRY_PRIVATE_MEMORY

// Copy `blocks` blocks of `block_bytes` bytes between memory of this PE and any memory of PE `pe` (cross-memory
// access). `dest` of a put and `source` of a get are PE `pe`'s own addresses. Strides are in bytes. Both functions wake
// no PE, and make one system call for each 64 blocks.
enum skerry_cross_memory {
    SKERRY_CROSS_MEMORY_DONE,
    SKERRY_CROSS_MEMORY_REFUSED, // the system does not allow the access, now and in all later calls
    SKERRY_CROSS_MEMORY_FAULT    // no memory at an address of PE `pe`, or of this PE; some blocks are possibly copied
};
enum skerry_cross_memory skerry_cross_memory_put(uintptr_t dest, const void *source, ptrdiff_t dest_stride,
                                                 ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe);
enum skerry_cross_memory skerry_cross_memory_get(void *dest, uintptr_t source, ptrdiff_t dest_stride,
                                                 ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe);

// skerry_is_readable returns true if this PE can load from every byte of a range. skerry_is_writable returns true if
// this PE can also store to every byte. The functions change no byte, even if other threads store to the range at the
// same time. They make one or two system calls for each page.
bool skerry_is_readable(const void *address, size_t bytes);
bool skerry_is_writable(void *address, size_t bytes);

// Allows the other PEs of this job cross-memory access to this PE, on systems where a process must allow such access.
void skerry_cross_memory_allow(void);

// The copy thread is a thread of this PE that does work, such as transfers, behind the program's threads. It runs no
// handler of an interrupt. While there is no work it sleeps, and it may run on any processor of the job.
//
// skerry_copy_thread_notify starts the thread if it does not run yet, and wakes it. The thread then calls `work` until
// `work` returns false, which means that it has found nothing to do. All that the caller has stored before is visible to
// these calls. `work` is the same function in all calls. Returns false if the system has no thread for this.
// skerry_copy_thread_end ends the thread, after a call of `work` that has found nothing to do. No other thread of the PE
// may call these functions at the same time.
bool skerry_copy_thread_notify(bool (*work)(void));
void skerry_copy_thread_end(void);
// Returns true if the caller is the copy thread. This thread must not wait as other threads do, because other PEs would
// take it for a thread that runs handlers. It calls skerry_copy_thread_pause in place of skerry_pause. `step` is the number
// of earlier calls in the same wait.
bool skerry_in_copy_thread(void);
void skerry_copy_thread_pause(uint32_t step);

#endif

// -- Job ---------------------------------------------------------------------------------------------------------------

// Describes a programming model, such as OpenSHMEM, to the machine. `init` and `finalize` are the names, for messages,
// of the routines by which a program begins and ends the model.
//
// The machine calls `finish` if the program returns 0 from main, or calls exit(0) in its main thread, without having
// ended the model. `finish` does two things:
// * It reports this error (skerry_job_report_unfinished).
// * It calls skerry_job_leave once for each call of `finalize` that the program omitted.
// A machine that does not notice the end of a program never calls `finish`.
struct skerry_model {
    const char *init;
    const char *finalize;
    void (*finish)(void);
};

// Set up a programming model:
//     skerry_job_enter     records that this PE sets up `model`. Called for each set-up. Before the first set-up a PE is
//                          allowed to access only the system memory of other PEs.
//     skerry_job_open      makes the static data and heaps of all PEs accessible. Called after all PEs have called
//                          skerry_job_enter.
//     skerry_job_is_open   returns true after skerry_job_open
void skerry_job_enter(const struct skerry_model *model);
void skerry_job_open(void);
bool skerry_job_is_open(void);

// Records that this PE has ended `model` once. A PE has left the job when it has called this function as often as
// skerry_job_enter, for each of its models. From then on the end of the PE's process is no failure.
void skerry_job_leave(const struct skerry_model *model);
#if SKERRY_PROGRAMS_MAX
// Leaves the job as if this PE had ended all its models. Used for programs that need not end their models.
void skerry_job_leave_all(void);
#endif

// Writes one line that names the models that the program has not ended, although the program itself ends. A job writes
// this line only one time. If `refuse` is true, the line is an error message, and this function ends the job.
void skerry_job_report_unfinished(bool refuse);

// Records, for the launcher's statistics, the largest number of bytes of the symmetric heap that were in use at one
// time.
void skerry_job_note_heap(size_t peak_bytes);

// Ends this process, as a return of `status` from main does, and also ends the whole job.
SKERRY_NORETURN void skerry_job_exit(int status);

#if SKERRY_REQUEST_PARTS
// Reads a setting that is a whole number, from the environment variable `name`. Returns `otherwise` if the variable is
// not set or empty. If the value is not a number from 0 to `most`, the job ends with an error message. `most` is below
// LONG_MAX / 10.
long skerry_number_setting(const char *name, long otherwise, long most);
#endif

#if SKERRY_CAN_CHECK
// Reads a setting that is one of `words`, from the environment variable `name`. Returns the index of the word, or -1 if
// the variable is not set or empty. Upper and lower case are equal, and blanks around the word are ignored. Any other
// value ends the job with an error message that contains `rule`.
int skerry_word_setting(const char *name, const char *const *words, int count, const char *rule);
#endif

// Calls `function` when the program returns from main or calls exit. On a machine that can read the program's exit
// code, the function is called only if that code is 0.
void skerry_at_exit(void (*function)(void));

// Returns a number that identifies the calling thread among the threads of this PE. It is never 0.
uintptr_t skerry_thread_identity(void);

// Returns the calling thread's small number, which no other thread of this PE has. A thread gets the smallest free
// number, from 0, at its first call and keeps the number until the thread ends. If all numbers below
// SKERRY_THREAD_NUMBERS are taken, returns SKERRY_THREAD_NUMBERS, possibly to several threads.
int skerry_thread_number(void);

// SKERRY_EACH_PE(NAME): attribute of the library's symmetric array NAME. C declares the array with one element. The
// machine gives the array one element for each PE. Only a machine for which src/config sets SKERRY_CHANNELS (signals by
// counters, src/primitive/channel.h) needs this macro.

// SKERRY_SHARED_VARIABLE: attribute of a program's static variable that no PE owns. All PEs see one variable, at the
// same address. Not defined on a machine whose compiler cannot place a variable in memory that no PE owns.

// -- Ending ------------------------------------------------------------------------------------------------------------

// Writes one line, "skerry: PE n: routine: text", to the error output and ends the job with a non-zero exit code.
SKERRY_NORETURN void skerry_fail(const char *routine, const char *text);
// Writes a line and ends the job as skerry_fail does. `text` contains the marks # and @, which the next of the `count`
// values replaces. # prints the value in decimal, @ as an address in hexadecimal.
SKERRY_NORETURN void skerry_fail_values(const char *routine, const char *text, const long *values, int count);
#if SKERRY_CAN_CHECK
// Writes the line that skerry_fail_values would write, and returns.
void skerry_report_values(const char *routine, const char *text, const long *values, int count);
#endif

#include "begun.h"
#ifdef SKERRY_NOC_MAILBOXES // see noc.h
#include "noc.h"
#endif
#include "far.h"
#include "interrupt.h"
#include "programs.h"

#endif
