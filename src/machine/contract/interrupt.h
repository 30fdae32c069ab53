// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract by which a PE makes another PE run a function: interrupts and requests. A
// request is an operation that one PE asks another PE to run. A PE polls for requests while it waits. pe.h includes
// this file.
#ifndef SKERRY_MACHINE_CONTRACT_INTERRUPT_H
#define SKERRY_MACHINE_CONTRACT_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// SKERRY_INTERRUPT_NUMBERS: number of interrupts of a PE; 0: the machine has no interrupts.
// SKERRY_REQUEST_PARTS: number of parts of the memory where requests of other PEs arrive, one part for each programming
// model; 0: PEs of this machine do not poll for requests.
#ifndef SKERRY_INTERRUPT_NUMBERS
#error "the machine does not define SKERRY_INTERRUPT_NUMBERS"
#endif
#ifndef SKERRY_REQUEST_PARTS
#error "the machine does not define SKERRY_REQUEST_PARTS"
#endif

// -- Interrupts: machines with SKERRY_INTERRUPT_NUMBERS above 0 --------------------------------------------------------
#if SKERRY_INTERRUPT_NUMBERS

// skerry_interrupt raises interrupt `number`, from 0 to SKERRY_INTERRUPT_NUMBERS - 1, at PE `pe`. skerry_on_interrupt
// sets this PE's handler for a number. After each raise the handler runs at least one time, and it sees what the
// raising PE stored to this PE before the raise. One run of the handler can answer several raises. A handler interrupts
// the program wherever interrupts are not masked, also in waits of the library. Only handlers of higher priority
// interrupt a handler. A handler must not wait for another PE. An interrupt that is raised while its number has no
// handler stays raised until this PE sets a handler for the number.
typedef void skerry_handler(void);
void skerry_interrupt(int pe, int number);
void skerry_on_interrupt(int number, skerry_handler *handler);

// skerry_mask_interrupts disables all interrupts of this PE and returns a number that describes their previous state.
// skerry_unmask_interrupts gets this number and restores that state. The time between the two calls must be short,
// because other PEs possibly wait for a handler of this PE. For the same reason this PE must not wait for another PE
// during this time.
uint32_t skerry_mask_interrupts(void);
void skerry_unmask_interrupts(uint32_t mask);

#endif

// -- Requests: machines on which a PE that waits polls for them (SKERRY_REQUEST_PARTS above 0) -------------------------
#if SKERRY_REQUEST_PARTS
#ifdef SKERRY_BUILD // only the library uses these functions, by direct calls instead of the procedure linkage table
#pragma GCC visibility push(hidden)
#endif

// Sets a handler as skerry_on_interrupt does, for a request that most programs never receive. Until the first request
// interrupts this PE, its waits do not poll for requests. So these waits are as fast as without the handler.
void skerry_on_rare_interrupt(int number, skerry_handler *handler);

// Makes this PE watch a word: if a wait of this PE finds that *word is `value`, the wait runs the handler of interrupt
// `number`, although this interrupt was not raised. If `when_interrupted` is true, the word is also checked each time
// that this PE is interrupted. To watch another word or value next, the handler calls this function again. If `word` is
// NULL, this PE watches no word for that handler.
void skerry_watch(int number, const uint32_t *word, uint32_t value, bool when_interrupted);

// Makes PE `pe` poll for requests; called after a store to a word that PE `pe` watches. Returns true if it interrupted
// the PE. Returns false if the PE polls already, or if the PE cannot be interrupted because its attention is 0
// (skerry_set_attention).
bool skerry_interrupt_pe(int pe);

// Wakes PE `pe` if it sleeps in a wait, as skerry_interrupt_pe does, but does not interrupt it. Returns true if the PE
// polls for requests. Costs a full fence and a few loads of cache lines that change seldom.
bool skerry_notify_pe(int pe);

// Returns true if PE `pe` need not be interrupted, because it polls for requests now, or will poll for them before it
// returns to the program.
bool skerry_is_polling_requests(int pe);

// skerry_in_handler returns true if this thread runs a handler. skerry_in_interrupt returns true if that handler was
// started by an interrupt and not by a wait.
bool skerry_in_handler(void);
bool skerry_in_interrupt(void);

// The name of the function that this thread runs for another PE, used in error messages. NULL if this thread runs no
// such function, or if the function has no name.
#ifdef SKERRY_BUILD
extern SKERRY_PER_THREAD const char *skerry_handled_function;
#endif

// Allows handlers to run from now on. Called when the memory of all PEs is mapped (for example by skerry_job_open).
// Before this call no handler runs, because the memory that a request names is possibly not mapped yet.
void skerry_accept_requests(void);

// Runs the handlers for which a request has arrived, also while interrupts are masked. Returns true if it ran a
// handler.
bool skerry_progress_now(void);

// Sets how other PEs make this PE run its handlers while it computes. 0: not at all. 1: they interrupt it. 2: a helper
// thread of this PE runs the handlers in parallel with the program. Returns false if the helper thread cannot be
// started.
bool skerry_set_attention(int how);

// Returns true if PE `pe` takes part in the job: its memory can be accessed and it runs requests. Returns true for
// every PE of another node, because this PE does not know which of them have left the job. The message functions of
// far.h can ask such a PE.
bool skerry_is_running(int pe);

// Returns this PE's memory in which the requests of one programming model arrive, and stores its size in *bytes. `part`
// is the number of the model, from 0 to SKERRY_REQUEST_PARTS - 1. The memory has the same offset in every PE and is
// zeroed.
void *skerry_request_memory(int part, size_t *bytes);

#ifdef SKERRY_BUILD
#pragma GCC visibility pop
#endif
#endif

#endif
