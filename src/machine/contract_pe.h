// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for PEs: the operations that a machine provides if the program's processes
// or cores are PEs. contract.h explains the terms.
#ifndef SKERRY_MACHINE_CONTRACT_PE_H
#define SKERRY_MACHINE_CONTRACT_PE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// -- Who and where -----------------------------------------------------------------------------------------------------

// Returns the number of PEs of the job. One load.
int skerry_pe_count(void);

// Returns rank * stride, for ranks of PEs. On a machine whose multiplication is expensive the usual stride of 1 needs
// no multiplication.
int skerry_times(int rank, int stride);

// Returns the PE whose memory a global address names. Two instructions.
int skerry_owner(const volatile void *global);

// Returns this PE's own address of the object that `global` names in any PE: the inverse of skerry_global.
void *skerry_localize(const volatile void *global);

// Returns true if [address, address + bytes) lies inside this PE's static data or symmetric heap, or if it is a range
// of global addresses inside the static data or symmetric heap of any PE.
bool skerry_is_symmetric(const volatile void *address, size_t bytes);

// -- Copy --------------------------------------------------------------------------------------------------------------

// A put copies `bytes` bytes to the object at symmetric address `dest` of PE `pe`, and wakes that PE. A get copies
// `bytes` bytes from the object at symmetric address `source` of PE `pe`. On return of a put its source may be reused.
// On return of a get the data is at its destination. Source and destination must not overlap unless they are equal.
void skerry_put(void *dest, const void *source, size_t bytes, int pe);
void skerry_get(void *dest, const void *source, size_t bytes, int pe);

// Copy as skerry_put and skerry_get do, but the copy may be complete only after skerry_quiet (non-blocking).
void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe);
void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe);

// Copy `blocks` blocks of `block_bytes` bytes as skerry_put and skerry_get do: block i from source + i * source_stride
// to dest + i * dest_stride (strides in bytes).
void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);
void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe);

// Copies between two addresses that this PE can load from and store to, global addresses included. Wakes no PE.
void skerry_copy(void *dest, const void *source, size_t bytes);

// Copies a block as skerry_copy does. The block is one of many that the PEs of a group copy at the same time; `all` is
// the number of bytes that all these copies read and write. If the machine's caches cannot hold so many bytes, the copy
// bypasses the caches.
void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all);

// Copies a few bytes as skerry_copy does, but inline, so that a hot path needs no call and saves no registers. Returns
// false, and copies nothing, for a size that this machine does not copy inline. Source and destination must not
// overlap.
bool skerry_copy_short(void *dest, const void *source, size_t bytes);

// Return the best parameters, measured on this machine, of a stream of messages from one PE to another.
// skerry_stream_lines_ahead returns a number of cache lines: a queue's only sender calls skerry_expect_to_write for the
// cache line that is this number of lines ahead of the line that the sender fills; 0: the sender does not call it.
// skerry_stream_moments_back returns a number of calls: a reader that has read all messages calls skerry_relax this
// number of times before its next poll; 0: the reader polls at once.
unsigned skerry_stream_lines_ahead(void);
unsigned skerry_stream_moments_back(void);

// -- Interrupts: machines with SKERRY_INTERRUPT_NUMBERS above 0 --------------------------------------------------------
#if SKERRY_INTERRUPT_NUMBERS

// skerry_interrupt raises interrupt `number`, from 0 to SKERRY_INTERRUPT_NUMBERS - 1, at PE `pe`. skerry_on_interrupt
// sets this PE's handler for a number. After each raise the handler runs at least one time, and it sees what the
// raising PE stored to this PE before the raise. One run of the handler may answer several raises. A handler interrupts
// the program wherever interrupts are not masked, also in waits of the library. Only handlers of higher priority
// interrupt a handler. A handler must not wait for another PE. An interrupt that is raised while its number has no
// handler stays raised until this PE sets a handler for the number.
typedef void skerry_handler(void);
void skerry_interrupt(int pe, int number);
void skerry_on_interrupt(int number, skerry_handler *handler);

// skerry_mask_interrupts disables all interrupts of this PE and returns their state before; skerry_unmask_interrupts
// restores that state. The time in between must be short and must not contain a wait for another PE, because other PEs
// may wait for a handler of this PE.
uint32_t skerry_mask_interrupts(void);
void skerry_unmask_interrupts(uint32_t mask);

#endif

// -- Requests: machines on which a PE that waits polls for them (SKERRY_REQUEST_PARTS above 0) ---------------------------
#if SKERRY_REQUEST_PARTS
#ifdef SKERRY_BUILD // only the library uses these functions, by direct calls instead of the procedure linkage table
#pragma GCC visibility push(hidden)
#endif

// Sets a handler as skerry_on_interrupt does, for a request that most programs never receive. Until the first request
// interrupts this PE, its waits do not poll for requests and cost no more than without the handler.
void skerry_on_rare_interrupt(int number, skerry_handler *handler);

// Watches a word for the handler of `number`: the handler also runs whenever *word is `value` while this PE waits and,
// if `when_interrupted` is true, when this PE is interrupted. The handler sets the next word and value by another call.
// If `word` is NULL, the handler has no word to watch.
void skerry_watch(int number, const uint32_t *word, uint32_t value, bool when_interrupted);

// Makes PE `pe` poll for requests; called after a store to a word that this PE watches. Returns true if it interrupted
// the PE. Returns false if the PE polls already, or if the PE cannot be interrupted because its attention is 0
// (skerry_set_attention).
bool skerry_interrupt_pe(int pe);

// Wakes PE `pe` if it sleeps in a wait, as skerry_interrupt_pe does, but does not interrupt it. Returns true if the PE
// polls for requests. Costs a full fence and a few loads of cache lines that change seldom.
bool skerry_notify_pe(int pe);

// Returns true if PE `pe` need not be interrupted, because it polls for requests or does so before it returns to the
// program.
bool skerry_is_polling_requests(int pe);

// skerry_in_handler returns true if this thread runs a handler. skerry_in_interrupt returns true if that handler was
// started by an interrupt and not by a wait.
bool skerry_in_handler(void);
bool skerry_in_interrupt(void);

// Name, for messages, of the function that this thread runs for another PE; NULL: it runs no such function, or the
// function has no name.
#ifdef SKERRY_BUILD
extern SKERRY_PER_THREAD const char *skerry_handled_function;
#endif

// Allows handlers to run from now on. Before skerry_job_open they do not run, because the memory that a request names
// may not be mapped yet.
void skerry_accept_requests(void);

// Runs the handlers for which a request has arrived, also while interrupts are masked. Returns true if it ran a
// handler.
bool skerry_progress_now(void);

// Sets how other PEs make this PE run its handlers while it computes. 0: they do not make it run its handlers. 1: they
// interrupt it. 2: a helper thread of this PE runs the handlers in parallel with the program. Returns false if the
// helper thread cannot be started.
bool skerry_set_attention(int how);

// Returns true if PE `pe` takes part in the job: its memory can be accessed and it runs requests.
bool skerry_is_running(int pe);

// Returns this PE's memory in which the requests of one programming model arrive, and stores its size in *bytes. `part`
// numbers the models from 0 to SKERRY_REQUEST_PARTS - 1. The memory has the same offset in every PE and is zeroed.
void *skerry_request_memory(int part, size_t *bytes);

#ifdef SKERRY_BUILD
#pragma GCC visibility pop
#endif
#endif

// -- Memory ------------------------------------------------------------------------------------------------------------

// The functions of this section that return memory store its size in *bytes.

// Returns this PE's symmetric heap, which has the same offset and size in every PE. Its bytes are zero until a PE
// writes them.
void *skerry_heap_memory(size_t *bytes);

// Returns this PE's part of the memory that the runtime itself uses: symmetric, zeroed, aligned to a page.
void *skerry_system_memory(size_t *bytes);

// Returns memory that no PE owns, at the same address in every PE. *bytes is 0 if the machine has no such memory. The
// memory is never symmetric.
void *skerry_shared_memory(size_t *bytes);

// Returns this PE's part of the table memory, for tables in which PEs find objects of other PEs. The memory is
// symmetric, aligned to a page, and zeroed before the first program of the job ran. It is at the same place in every
// process of the job, whatever program the process runs. *bytes is 0 if the machine has no table memory.
void *skerry_table_memory(size_t *bytes);

// Returns true if `address` is outside: in memory that no PE owns and that puts, gets and atomics, which name a PE,
// cannot access. Only loads, stores and the next two functions access it. Returns false for all addresses on a machine
// where the memory that no PE owns lies in some PE's partition.
bool skerry_is_outside(const volatile void *address);

// Compares and swaps a word outside, atomically with respect to other calls of this function: stores `value` if the
// word is `expected`. A PE that sees the new value also sees the stores to memory outside that the swapping PE made
// before. Returns the old value.
uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value);

// Copies from memory outside to memory of this PE. The data is there after skerry_fence.
void skerry_outside_get(void *dest, const void *source, size_t bytes);

// Records that this PE made plain stores at `address`, which is in memory of PE `pe` or outside. skerry_quiet then
// waits for these stores too.
void skerry_note_stores(const volatile void *address, int pe);

// -- Another PE's memory that is not symmetric: machines without SKERRY_PRIVATE_MEMORY ----------------------------------
#if !SKERRY_PRIVATE_MEMORY

// Returns the address at which every PE can access the bytes [address, address + bytes), which may be memory of this
// PE, of another PE or of no PE. Stores the PE that owns these bytes in *owner, -1 for no PE. Returns NULL if there is
// no such address.
void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner);

#endif

// -- Another PE's memory that is not mapped here: machines with SKERRY_PRIVATE_MEMORY ----------------------------------
#if SKERRY_PRIVATE_MEMORY

// Copy `blocks` blocks of `block_bytes` bytes between memory of this PE and any memory of PE `pe` (cross-memory
// access). `dest` of a put and `source` of a get are PE `pe`'s own addresses; strides are in bytes. Wake no PE. Make
// one system call for each 64 blocks.
enum skerry_cross_memory {
    SKERRY_CROSS_MEMORY_DONE,
    SKERRY_CROSS_MEMORY_REFUSED, // the system does not allow the access, now and in all later calls
    SKERRY_CROSS_MEMORY_FAULT    // no memory at an address of PE `pe`, or of this PE; some blocks may have been copied
};
enum skerry_cross_memory skerry_cross_memory_put(uintptr_t dest, const void *source, ptrdiff_t dest_stride,
                                                 ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe);
enum skerry_cross_memory skerry_cross_memory_get(void *dest, uintptr_t source, ptrdiff_t dest_stride,
                                                 ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe);

// skerry_is_readable returns true if this PE may load from every byte of a range. skerry_is_writable returns true if
// this PE may also store to every byte. The functions change no byte, also if other threads store to the range at the
// same time. They make one or two system calls for each page.
bool skerry_is_readable(const void *address, size_t bytes);
bool skerry_is_writable(void *address, size_t bytes);

// Allows the PEs of this job cross-memory access to this PE, on systems where a process must allow it.
void skerry_cross_memory_allow(void);

#endif

// -- Job ---------------------------------------------------------------------------------------------------------------

// What the machine must know of a programming model. `init` and `finalize` are the names, for messages, of the routines
// by which a program begins and ends the model. The machine calls `finish` if a program that has not ended the model
// returns 0 from main or calls exit(0) in its main thread. `finish` reports this error (skerry_job_report_unfinished),
// and calls skerry_job_leave once for each call of `finalize` that the program omitted. A machine that does not notice
// the end of a program never calls `finish`.
struct skerry_model {
    const char *init;
    const char *finalize;
    void (*finish)(void);
};

// Set up a programming model. Before the first set-up a PE may access only the system memory of other PEs, and no other
// memory of them. skerry_job_enter records that this PE is in the set-up of `model`; it is called for each set-up.
// skerry_job_open is called after all PEs have called skerry_job_enter; it makes the static data and heaps of all PEs
// accessible. skerry_job_is_open returns true after that.
void skerry_job_enter(const struct skerry_model *model);
void skerry_job_open(void);
bool skerry_job_is_open(void);

// Records one end of `model` in this PE. When this PE has made, for each of its models, as many calls of this function
// as of skerry_job_enter, it has left the job properly: the end of its process is then no failure.
void skerry_job_leave(const struct skerry_model *model);
// Leaves the job as if this PE had ended all its models, for programs that need not end their models.
void skerry_job_leave_all(void);

// Writes one line that says which models the program has not ended, although the program ends. A job writes this line
// only one time. If `refuse` is true, the line is an error and the job ends.
void skerry_job_report_unfinished(bool refuse);

// Records the largest number of bytes of the symmetric heap that were in use, for the launcher's statistics.
void skerry_job_note_heap(size_t peak_bytes);

// Ends this process as a return of `status` from main does, and with it the whole job.
SKERRY_NORETURN void skerry_job_exit(int status);

// Reads a setting that is a whole number, from the environment variable `name`. Returns `otherwise` if the variable is
// not set or empty. A value that is not a number from 0 to `most` ends the job with an error message. `most` is below
// LONG_MAX / 10. Only on machines with SKERRY_REQUEST_PARTS.
long skerry_number_setting(const char *name, long otherwise, long most);

// Reads a setting that is one of `words`, from the environment variable `name`. Returns the index of the word, -1 if
// the variable is not set or empty. Case, and blanks before and after the word, do not matter. Any other value ends the
// job with an error message that contains `rule`. Only on machines with SKERRY_CAN_CHECK.
int skerry_word_setting(const char *name, const char *const *words, int count, const char *rule);

// Calls `function` when the program returns from main or calls exit. A machine that knows the exit code calls
// `function` only if the code is 0.
void skerry_at_exit(void (*function)(void));

// Returns a number that identifies the calling thread among the threads of this PE. It is never 0.
uintptr_t skerry_thread_identity(void);

// Returns the calling thread's small number, which no other thread of this PE has. A thread gets the smallest free
// number, from 0, at its first call and keeps it until the thread ends. Returns SKERRY_THREAD_NUMBERS if no smaller
// number is free; several threads may get this value.
int skerry_thread_number(void);

// SKERRY_EACH_PE(NAME): attribute of the library's symmetric array NAME. C declares the array with one element; the
// machine gives it one element for each PE. Only on machines with SKERRY_CHANNELS.

// SKERRY_CAN_CHECK: 1 if the machine has enough memory for the checks of `oshcc --check`, else 0. If it is 0, the
// checks are not compiled.
#ifndef SKERRY_CAN_CHECK
#error "the machine does not define SKERRY_CAN_CHECK"
#endif

// -- Programs: machines with SKERRY_PROGRAMS_MAX above 0 ---------------------------------------------------------------
#if SKERRY_PROGRAMS_MAX

// If PE 0 is the only PE of a job, it may change the job into a job of 1 + SKERRY_PROGRAMS_MAX PEs, and start a program
// as each of the other PEs. The programs are other executables, so no static data is symmetric. They need not all run
// at the same time. The end of PE 0 ends all programs. A program that is killed by a signal, or that stops after an
// error which it reported, also ends all programs.

// Returns true if this job was changed into a job of several programs (skerry_programs_admit).
bool skerry_has_programs(void);

// Changes this job into a job of 1 + SKERRY_PROGRAMS_MAX PEs. PE 0 calls this function before it starts programs.
// `at_once` is the number of PEs that may run at the same time. Returns false if the job has more than one PE, or if
// its memory was not made large enough.
bool skerry_programs_admit(int at_once);
// Starts a program as PE `pe`; no program may run as this PE. `name` is a path, or a file name that is searched for in
// the folder of PE 0's program, then in the working directory, then in the system's search path. The program's main
// gets exactly `arguments`. If `environment` is NULL the program gets the environment of PE 0. `title` is the program's
// name in messages. Returns false, after a line that says why, if the program cannot be started.
bool skerry_program_start(int pe, const char *title, const char *name, const char *const *arguments,
                          const char *const *environment);
// skerry_program_runs returns true if the program of PE `pe` runs. skerry_program_wait waits until this program has
// ended and returns its exit code, or -1 if no program was started as this PE.
bool skerry_program_runs(int pe);
int skerry_program_wait(int pe);

// Returns PE 0's heap at a second address, which is the same in all programs of a job of several programs and needs
// fewer bits than a global address. Stores the size of the heap in *bytes.
void *skerry_common_memory(size_t *bytes);

// Runs `function` in a new thread, in which all signals are blocked. The thread may run until the program ends.
void skerry_run_beside(void (*function)(void));

// Yields the processor to another thread or program.
void skerry_yield(void);

#endif

// -- Ending ------------------------------------------------------------------------------------------------------------

// Writes one line, "skerry: PE n: routine: text", to the error output and ends the job with a non-zero exit code.
SKERRY_NORETURN void skerry_fail(const char *routine, const char *text);
// Writes a line and ends the job as skerry_fail does. Each # of the text is replaced by the next value in decimal, each
// @ by the next value as an address.
SKERRY_NORETURN void skerry_fail_values(const char *routine, const char *text, const long *values, int count);
// Writes the same line as skerry_fail_values and returns. Only on machines with SKERRY_CAN_CHECK.
void skerry_tell_values(const char *routine, const char *text, const long *values, int count);

#endif
