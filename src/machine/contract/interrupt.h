// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract by which a PE makes another PE run a function: interrupts and requests. A
// request is an operation that one PE asks another PE to run. A PE polls for requests while it waits. pe.h includes
// this file.
#ifndef SKERRY_MACHINE_CONTRACT_INTERRUPT_H
#define SKERRY_MACHINE_CONTRACT_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// SKERRY_INTERRUPT_NUMBERS: number of interrupts of a PE. 0: the machine has no interrupts. SKERRY_REQUEST_PARTS: each
// programming model has one part of the memory where requests of other PEs arrive. The macro is the number of parts. 0:
// PEs of this machine do not poll for requests.
#ifndef SKERRY_INTERRUPT_NUMBERS
#error "the machine does not define SKERRY_INTERRUPT_NUMBERS"
#endif
#ifndef SKERRY_REQUEST_PARTS
#error "the machine does not define SKERRY_REQUEST_PARTS"
#endif

// -- Interrupts: machines with SKERRY_INTERRUPT_NUMBERS above 0 --------------------------------------------------------
#if SKERRY_INTERRUPT_NUMBERS

// skerry_interrupt raises interrupt `number`, from 0 to SKERRY_INTERRUPT_NUMBERS - 1, at PE `pe`. skerry_on_interrupt
// sets this PE's handler for a number.
// * After each raise the handler runs at least one time. The handler sees what the raising PE stored to this PE before
//   the raise. One run of the handler can answer several raises.
// * A handler interrupts the program, also in waits of the library, if interrupts are not masked. Only handlers of
//   higher priority interrupt a handler.
// * A handler must not wait for another PE.
// * If a number has no handler, its interrupt stays raised until this PE sets a handler for the number.
typedef void skerry_handler(void);
void skerry_interrupt(int pe, int number);
void skerry_on_interrupt(int number, skerry_handler *handler);

// skerry_mask_interrupts disables all interrupts of this PE and returns a number that describes their previous state.
// skerry_unmask_interrupts gets this number and restores that state. Two rules for the time between the two calls:
// * The time must be short, because other PEs can be waiting for a handler of this PE.
// * This PE must not wait for another PE, for the same reason.
uint32_t skerry_mask_interrupts(void);
void skerry_unmask_interrupts(uint32_t mask);

#endif

// -- Requests: machines on which a PE that waits polls for them (SKERRY_REQUEST_PARTS above 0) -------------------------
#if SKERRY_REQUEST_PARTS
#ifdef SKERRY_BUILD // only the library uses these functions, by direct calls instead of the procedure linkage table
#pragma GCC visibility push(hidden)
#endif

// Sets a handler as skerry_on_interrupt does, for a request that most programs never receive. Waits of this PE do not
// poll for this request until it interrupts the PE for the first time. Until then the handler does not slow these
// waits.
void skerry_on_rare_interrupt(int number, skerry_handler *handler);

// Makes this PE watch a word. If a wait of this PE finds that *word is `value`, the wait runs the handler of interrupt
// `number`. No PE needs to raise this interrupt. If `when_interrupted` is true, this PE also checks the word at each
// interrupt. The handler calls this function again to watch another word or value. If `word` is NULL, this PE watches
// no word for that handler.
void skerry_watch(int number, const uint32_t *word, uint32_t value, bool when_interrupted);

// Makes PE `pe` poll for requests. The caller has just stored to a word that PE `pe` watches. Returns true if the
// function interrupted the PE. Returns false in two cases: the PE polls already, or the PE cannot be interrupted
// because its attention (skerry_set_attention) is 0.
bool skerry_interrupt_pe(int pe);

// Wakes PE `pe` if it sleeps in a wait, but does not interrupt a PE that computes. Returns true if the PE polls for
// requests. Costs a full fence and a few loads of cache lines that change seldom.
bool skerry_notify_pe(int pe);

// Returns true if PE `pe` polls for requests now, or will poll before it returns to the program. Such a PE need not be
// interrupted.
bool skerry_is_polling_requests(int pe);

// skerry_in_handler returns true if this thread runs a handler. skerry_in_interrupt returns true if an interrupt, and
// not a wait, started that handler.
bool skerry_in_handler(void);
bool skerry_in_interrupt(void);

// The name, for error messages, of the function that this thread runs for another PE. NULL if this thread runs no such
// function, or if the function has no name.
#ifdef SKERRY_BUILD
extern SKERRY_PER_THREAD const char *skerry_handled_function;
#endif

// Allows handlers to run from now on. The caller (for example skerry_job_open) has mapped the memory of all PEs. Before
// this call no handler runs, because a request can name memory that is not mapped yet.
void skerry_accept_requests(void);

// Runs the handlers for which a request has arrived, also while interrupts are masked. Returns true if it ran a
// handler.
bool skerry_progress_now(void);

// Sets how other PEs make this PE run its handlers while this PE computes. 0: not at all. 1: they interrupt this PE. 2:
// a helper thread of this PE runs the handlers in parallel with the program. Returns false if the helper thread cannot
// be started.
bool skerry_set_attention(int how);

// Returns true if PE `pe` takes part in the job: its memory can be accessed and it runs requests. On most machines
// returns true for every PE of another node, because this PE does not know whether a far PE has left the job. A message
// (far.h) can ask the far PE.
bool skerry_is_running(int pe);

// Returns this PE's memory in which the requests of one programming model arrive, and stores its size in *bytes. `part`
// is the number of the model, from 0 to SKERRY_REQUEST_PARTS - 1. The memory has the same offset in every PE and is
// zero at the start.
void *skerry_request_memory(int part, size_t *bytes);

#ifdef SKERRY_BUILD
#pragma GCC visibility pop
#endif
#endif

#endif
