// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for far PEs: PEs whose memory this PE cannot load from and store to, because
// they are on other nodes (skerry_is_near in pe.h). The copies and atomics of pe.h work for far PEs too. This file has
// the messages by which a programming model does what copies and atomics cannot do. A machine of one node includes
// ../defaults/one_node.h. pe.h includes this file.
#ifndef SKERRY_MACHINE_CONTRACT_FAR_H
#define SKERRY_MACHINE_CONTRACT_FAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns true if the job has far PEs. It is the same for all PEs of the job and never changes. Costs two loads.
bool skerry_has_far_pes(void);

// -- Messages: machines with SKERRY_FAR_PES ----------------------------------------------------------------------------
#if SKERRY_FAR_PES

// SKERRY_FAR_HANDLERS     handlers have the numbers from 0 to SKERRY_FAR_HANDLERS - 1; the machine uses the last itself
// SKERRY_FAR_MESSAGE_MAX  largest size of a message in bytes
// SKERRY_FAR_ANSWER_MAX   largest size of an answer in bytes
#define SKERRY_FAR_HANDLERS 8
#define SKERRY_FAR_MESSAGE_MAX 8192
#define SKERRY_FAR_ANSWER_MAX 512

// A handler runs when a message from PE `from` has arrived for PE `pe`. It runs in any process of the node of PE `pe`
// and in any thread there, also in a thread that the program does not know, and while that thread waits or executes a
// far operation. It runs once for each message, not at the same time as another handler of the same process, but
// possibly at the same time as handlers in other processes of the node. `message` has `bytes` bytes and is aligned to 8;
// it is valid until the handler returns. The handler stores its answer at `answer`, which has room for
// SKERRY_FAR_ANSWER_MAX bytes, and returns the answer's size; the answer to skerry_far_send is dropped.
//
// A handler is allowed to access the memory of PE `pe` by skerry_global, to wake and to interrupt near PEs, and to send
// messages by skerry_far_send. These leave when the handler has returned, and no skerry_quiet waits for them. A handler
// must not wait, must not take a lock that a thread holds while it waits or executes a far operation, and must not
// access far PEs in another way. An operation that has to answer later does so by a put or a message.
typedef size_t skerry_far_handler(int pe, int from, const void *message, size_t bytes, void *answer);

// Sets the handler of the messages with a number. Every process of the job does this before the first barrier of its
// set-up, for example in a constructor. Handlers run only after skerry_job_enter.
void skerry_far_on_message(int number, skerry_far_handler *handler);

// Sends a message to the far PE `pe`, waits until its handler has run, and copies the handler's answer to `answer`, which
// has room for SKERRY_FAR_ANSWER_MAX bytes. Returns the size of the answer. The messages, puts and atomics of this PE to
// one PE take effect in the order of the calls, with two exceptions: operations after a large skerry_put_nbi possibly take
// effect before it, and a large put possibly before earlier operations, if no skerry_fence is between the two. The wait
// runs no handlers of interrupts. It needs nothing of PE `pe` itself, which can compute or wait. Can be called by a handler
// of an interrupt.
size_t skerry_far_ask(int pe, int number, const void *message, size_t bytes, void *answer);

// Sends a message to the far PE `pe`. It leaves at once, and its handler has run when the next skerry_quiet returns. The
// order is that of skerry_far_ask. Can be called by a handler of an interrupt.
void skerry_far_send(int pe, int number, const void *message, size_t bytes);

// Sends a message to the far PE `pe` as skerry_far_send does. If the handler's answer is not empty, it is put to the
// symmetric address `answer` of this PE. For requests whose answer usually comes later, from PE `pe` itself: the handler
// answers only if it refuses the request. skerry_quiet does not wait for the message, because the sender waits for one
// of the two answers.
void skerry_far_request(int pe, int number, const void *message, size_t bytes, void *answer);

// Does what skerry_put does for a far PE, but the data leaves at once: for words that another PE waits for. A plain put
// may stay here until this PE waits, fetches or completes its operations.
void skerry_far_put_now(void *dest, const void *source, size_t bytes, int pe);

// -- Contexts ----------------------------------------------------------------------------------------------------------

// A context is a number below SKERRY_FAR_CONTEXTS by which a thread groups its operations on far PEs, so that it can wait for
// some of them only. Number 0 stands for all operations of this PE. Several contexts of a program can share a number: then
// each also waits for the others' operations.
#define SKERRY_FAR_CONTEXTS 64

// This thread's operations belong to the context from now on, until the next call. Called before each operation that has a
// context other than 0. Operations that were not preceded by a call can belong to any context. `pe` is the PE of the
// operation; costs nothing if it is near.
void skerry_use_context(uint32_t context, int pe);

// Do what skerry_fence and skerry_quiet do, but for the operations on far PEs of one context only. All operations on near
// PEs are ordered and completed.
void skerry_fence_of(uint32_t context);
void skerry_quiet_of(uint32_t context);

// -- Nodes -------------------------------------------------------------------------------------------------------------

// The PEs of a node have consecutive ranks. Nodes have numbers from 0 on, in the order of the ranks of their PEs.
// skerry_node_count returns the number of nodes of the job, and skerry_node_of the number of the node of PE `pe`.
// skerry_node_first returns the rank of the first PE of a node; for the number of nodes it returns the number of PEs.
// skerry_node_of costs a binary search; the others cost a load.
int skerry_node_count(void);
int skerry_node_of(int pe);
int skerry_node_first(int node);

// Copies `bytes` bytes to the object at symmetric address `dest` of PE `pe`, then stores `value` to the word `signal` of
// that PE, or adds `value` to the word if `adds` is true. Wakes the PE. Data and signal leave at once, and the program is
// allowed to change the source when the function returns. A PE that sees the new value also sees the data, and everything
// that this PE put to PEs of the same node before. skerry_quiet does not wait for the signal, so the receiver must wait
// for it before the job ends. Works for near PEs too.
void skerry_put_and_signal(void *dest, const void *source, size_t bytes, skerry_word *signal, skerry_word value,
                           bool adds, int pe);

#endif
#endif
