// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for far PEs: PEs whose memory this PE cannot load from and store to,
// because they are on other nodes (skerry_is_near in pe.h). The copies and atomics of pe.h work for far PEs too. This
// file has the messages by which a programming model does what copies and atomics cannot do. A machine of one node
// includes ../defaults/one_node.h. pe.h includes this file.
#ifndef SKERRY_MACHINE_CONTRACT_FAR_H
#define SKERRY_MACHINE_CONTRACT_FAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns true if the job has far PEs. The result is the same for all PEs of the job and never changes. Costs two
// loads.
bool skerry_has_far_pes(void);

// -- Messages: machines with SKERRY_FAR_PES ----------------------------------------------------------------------------
#if SKERRY_FAR_PES

// SKERRY_FAR_HANDLERS     handlers have the numbers from 0 to SKERRY_FAR_HANDLERS - 1; the last is the machine's own
// SKERRY_FAR_MESSAGE_MAX  largest size of a message in bytes
// SKERRY_FAR_ANSWER_MAX   largest size of an answer in bytes
#define SKERRY_FAR_HANDLERS 8
#define SKERRY_FAR_MESSAGE_MAX 8192
#define SKERRY_FAR_ANSWER_MAX 512

// A handler runs when a message from PE `from` has arrived for PE `pe`. Any process of the node of PE `pe` can run the
// handler, in any of its threads, also in a thread that the library started. The thread runs the handler while it waits
// or executes an operation on a far PE. The handler runs once for each message. Handlers in one process run one after
// the other, but handlers in other processes of the node possibly run at the same time. `message` has `bytes` bytes and
// is aligned to 8. The message is valid until the handler returns. The handler stores its answer at `answer`, where
// there is space for SKERRY_FAR_ANSWER_MAX bytes, and returns the answer's size. If the message was sent by
// skerry_far_send, the answer is dropped.
//
// A handler is allowed to access the memory of PE `pe` by skerry_global, to wake and to interrupt near PEs (PEs of its
// own node), and to send messages by skerry_far_send. These messages are sent when the handler has returned, and no
// skerry_quiet waits for them. A handler must not wait. It must not take a lock that a thread holds while the thread
// waits or executes an operation on a far PE. It must not access far PEs except by skerry_far_send. If an answer is
// known only after the handler has returned, it is sent by a put or by another message.
typedef size_t skerry_far_handler(int pe, int from, const void *message, size_t bytes, void *answer);

// Sets the handler of the messages with number `number`. Every process of the job calls this function before the first
// barrier of its set-up, for example in a constructor. Handlers run only after skerry_job_enter.
void skerry_far_on_message(int number, skerry_far_handler *handler);

// Sends a message to the far PE `pe`, waits until its handler has run, and copies the handler's answer to `answer`,
// where there is space for SKERRY_FAR_ANSWER_MAX bytes. Returns the size of the answer. The messages, puts and atomics
// of this PE to one PE take effect in the order of the calls, with two exceptions, both only if no skerry_fence is
// called between the two operations: an operation possibly takes effect before an earlier large skerry_put_nbi, and a
// large put possibly takes effect before earlier operations. The wait runs no handlers of interrupts. The wait ends
// even if PE `pe` computes or waits, because other processes of its node can run the handler. A handler of an interrupt
// may call this function.
size_t skerry_far_ask(int pe, int number, const void *message, size_t bytes, void *answer);

// Sends a message to the far PE `pe` at once, and does not wait. When the next skerry_quiet returns, the message's
// handler has run. The message is ordered with other operations as skerry_far_ask says. A handler of an interrupt may
// call this function.
void skerry_far_send(int pe, int number, const void *message, size_t bytes);

// Sends a message to the far PE `pe` as skerry_far_send does. If the handler's answer is not empty, the answer is put
// to the symmetric address `answer` of this PE. This function is for requests that PE `pe` itself answers later. The
// handler of such a request gives an answer only if it refuses the request. skerry_quiet does not wait for the message,
// because the sender waits for an answer anyway, either from PE `pe` or from the handler.
void skerry_far_request(int pe, int number, const void *message, size_t bytes, void *answer);

// Does what skerry_put does for a far PE, but sends the data at once. It is for words that another PE waits for. The
// data of skerry_put can stay in this PE until this PE waits, fetches, or completes its operations.
void skerry_far_put_now(void *dest, const void *source, size_t bytes, int pe);

// -- Contexts ----------------------------------------------------------------------------------------------------------

// A context is a number below SKERRY_FAR_CONTEXTS by which a thread groups its operations on far PEs, so that it can
// wait for some of them only. Number 0 stands for all operations of this PE. Several contexts of a program can share a
// number. Then a wait for one of them also waits for the operations of the others.
#define SKERRY_FAR_CONTEXTS 64

// Sets the context to which this thread's operations on far PEs belong, until the thread's next call of this function.
// A thread calls it before each operation with a context other than 0. An operation without such a call can belong to
// any context. `pe` is the PE of the next operation. The call costs nothing if this PE is near.
void skerry_use_context(uint32_t context, int pe);

// Do what skerry_fence and skerry_quiet do for all operations on near PEs, but only for one context's operations on far
// PEs.
void skerry_fence_of(uint32_t context);
void skerry_quiet_of(uint32_t context);

// -- Nodes -------------------------------------------------------------------------------------------------------------

// The PEs of a node have consecutive ranks. Nodes have numbers from 0 on, in the order of the ranks of their PEs.
// skerry_node_count returns the number of nodes of the job. skerry_node_of returns the number of the node of PE `pe`.
// skerry_node_first returns the rank of the first PE of a node, or the number of PEs of the job if `node` is equal to
// the number of nodes. skerry_node_of costs a binary search. The other two functions cost a load.
int skerry_node_count(void);
int skerry_node_of(int pe);
int skerry_node_first(int node);

// Copies `bytes` bytes to the object at symmetric address `dest` of PE `pe`, then stores `value` to the word `signal`
// of that PE, or adds `value` to the word if `adds` is true. Wakes the PE. Data and signal are sent at once, and the
// program is allowed to change the source when the function returns. A PE that sees the new value of `signal` also sees
// the data, and the data of all earlier puts of this PE to PEs of the same node. skerry_quiet does not wait for the
// signal, so the receiver must wait for it before the job ends. Works for near PEs too.
void skerry_put_and_signal(void *dest, const void *source, size_t bytes, skerry_word *signal, skerry_word value,
                           bool adds, int pe);

#endif
#endif
