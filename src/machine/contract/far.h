// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for far PEs. A far PE is on another node, so this PE cannot load from its
// memory or store to it. The copies and atomics of pe.h work for far PEs too. This file adds contexts and nodes, which
// OpenSHMEM needs (SKERRY_FAR_PES), and messages, for operations of other models that are neither copies nor atomics
// (SKERRY_FAR_MESSAGES). A machine of one node includes ../defaults/one_node.h instead.
#ifndef SKERRY_MACHINE_CONTRACT_FAR_H
#define SKERRY_MACHINE_CONTRACT_FAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns true if the job has far PEs (PEs on other nodes). The result is the same for all PEs of the job and never
// changes. Costs two loads.
bool skerry_has_far_pes(void);

// -- Messages: machines with SKERRY_FAR_MESSAGES -----------------------------------------------------------------------
#if SKERRY_FAR_MESSAGES

// SKERRY_FAR_HANDLERS     number of handlers of messages. The last handler is the machine's own.
// SKERRY_FAR_MESSAGE_MAX  largest size of a message in bytes
// SKERRY_FAR_ANSWER_MAX   largest size of an answer in bytes
// SKERRY_FAR_REPLY_MAX    largest size of a message that a handler sends, in bytes
// A machine with little memory defines smaller numbers than these.
#ifndef SKERRY_FAR_MESSAGE_MAX
#define SKERRY_FAR_MESSAGE_MAX 8192
#define SKERRY_FAR_ANSWER_MAX 512
#define SKERRY_FAR_REPLY_MAX SKERRY_FAR_MESSAGE_MAX
#endif
#define SKERRY_FAR_HANDLERS 8

// A handler runs once for each message that PE `from` has sent to PE `pe`. If the message was sent by skerry_far_send,
// the answer is dropped.
//
// Arguments and result:
// * `message` has `bytes` bytes, is aligned to 8, and is valid until the handler returns.
// * The handler stores its answer at `answer`, where SKERRY_FAR_ANSWER_MAX bytes fit, and returns the answer's size.
//
// Where a handler runs:
// * In any process of the node of PE `pe`, in any thread, also in a thread that the library started. The thread runs
//   the handler while the thread waits or executes an operation on a far PE.
// * Handlers in one process run one after the other. Handlers in different processes of the node can run at the same
//   time.
//
// A handler is allowed to:
// * access the memory of PE `pe` by skerry_global
// * wake and interrupt near PEs (PEs of its own node)
// * send messages by skerry_far_send. These messages are sent when the handler has returned, and no skerry_quiet waits
//   for them. If an answer is known only after the handler has returned, a put or another message sends it.
//
// A handler must not:
// * wait
// * take a lock that a thread holds while the thread waits or executes an operation on a far PE
// * access far PEs except by skerry_far_send and skerry_far_put_by_handler
typedef size_t skerry_far_handler(int pe, int from, const void *message, size_t bytes, void *answer);

// Sets the handler of the messages with number `number`. Every process of the job calls this function before the first
// barrier of its set-up, for example in a constructor. Handlers run only after skerry_job_enter.
void skerry_far_on_message(int number, skerry_far_handler *handler);

// Sends a message to the far PE `pe`, and waits until its handler has run. Copies the handler's answer to `answer`,
// where SKERRY_FAR_ANSWER_MAX bytes fit, and returns the answer's size. A handler of an interrupt is allowed to call
// this function.
//
// The messages, puts and atomics of this PE to one PE take effect in the order of the calls. There are two exceptions,
// if no skerry_fence stands between the two operations:
// * An operation can take effect before an earlier large skerry_put_nbi.
// * A put can take effect before earlier operations that are not puts. On some machines, only a large put can.
//
// The wait runs no handlers of interrupts. The wait ends even if PE `pe` computes or waits, because other processes of
// its node can run the handler.
size_t skerry_far_ask(int pe, int number, const void *message, size_t bytes, void *answer);

// Sends a message to the far PE `pe` at once, and does not wait. When the next skerry_quiet returns, the message's
// handler has run. The order of the message and other operations is that of skerry_far_ask. A handler of an interrupt
// is allowed to call this function.
void skerry_far_send(int pe, int number, const void *message, size_t bytes);

// Sends a message to the far PE `pe`, as skerry_far_send does. Used for requests: this PE waits for a reply, which is
// put to the symmetric address `answer` of this PE. Which process puts the reply depends on the handler:
// * The handler refuses the request. The bytes that it returns (see skerry_far_handler) are the reply, and the
//   handler's process puts them.
// * The handler accepts the request, and returns 0 bytes. PE `pe` executes the request later, and itself puts the
//   reply.
//
// skerry_quiet does not wait for the message, because the sender waits for the reply anyway.
void skerry_far_request(int pe, int number, const void *message, size_t bytes, void *answer);

// Does what skerry_put does for a far PE, but sends the data at once. Used for words that another PE waits for. The
// data of skerry_put can stay in this PE until this PE waits, fetches, or completes its operations.
void skerry_far_put_now(void *dest, const void *source, size_t bytes, int pe);

#if SKERRY_FAR_WATCHES
// Returns true if PE `pe` runs a program, so that it handles messages. In a job of several programs, asks PE 0 if this PE
// does not know.
bool skerry_far_is_running(int pe);
#endif

// -- Transfers that end later ------------------------------------------------------------------------------------------

// A function that the machine calls when a transfer has ended, with the argument `given` of the call that began the
// transfer. It is a handler, with the rules of skerry_far_handler. It runs in any thread of this PE, also in a thread
// that the library started.
typedef void skerry_far_ended(void *given);

// SKERRY_FAR_COPIED_MAX  largest size of a put, in bytes, that the machine copies before it returns. To begin a smaller
//                        put is allowed, but not faster than skerry_put.
// SKERRY_FAR_BLOCKS_MIN  number of blocks from which on one transfer of all blocks is faster than one for each. 0: the
//                        machine has no transfers of blocks.
// SKERRY_FAR_COPIED_BLOCKS_MAX  total size of these blocks, in bytes, up to which it is not faster to begin the transfer
//                               than to do it
#ifndef SKERRY_FAR_COPIED_MAX
#define SKERRY_FAR_COPIED_MAX 4096
#endif
#ifndef SKERRY_FAR_BLOCKS_MIN
#define SKERRY_FAR_BLOCKS_MIN 0
#define SKERRY_FAR_COPIED_BLOCKS_MAX 0
#endif

// Begin a put or a get of memory of the far PE `pe`, and return before it has ended. When the transfer has ended, the
// machine calls `ended`. The call can come before the function returns.
// * A put has ended when the program is allowed to change the source. A get has ended when the data is at `dest`.
// * These transfers and the other operations of this PE have no order, with two exceptions: skerry_quiet waits for the
//   transfers, and operations that follow a call of skerry_far_order_begun_puts take effect after them.
// * The transfers belong to the context of skerry_use_context.
void skerry_far_begin_put(void *dest, const void *source, size_t bytes, int pe, skerry_far_ended *ended, void *given);
void skerry_far_begin_get(void *dest, const void *source, size_t bytes, int pe, skerry_far_ended *ended, void *given);

#if SKERRY_FAR_BLOCKS_MIN
// Do the same for `blocks` blocks of `block_bytes` bytes, both above 0, at regular distances. The strides are the numbers
// of bytes from one block to the next. `ended` is called once.
void skerry_far_begin_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                                  size_t block_bytes, size_t blocks, int pe, skerry_far_ended *ended, void *given);
void skerry_far_begin_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                                  size_t block_bytes, size_t blocks, int pe, skerry_far_ended *ended, void *given);
#endif

// Calls the functions `ended` of transfers of this PE that have ended. A wait for such a transfer calls it at each step. On
// a machine whose library calls these functions itself, it does nothing.
void skerry_far_poll(void);

// Waits, if necessary, until all later operations of this PE on a far PE take effect after all puts to that PE that
// skerry_far_begin_put has begun. Costs a load if there are no such puts.
void skerry_far_order_begun_puts(void);

// -- Watching: machines with SKERRY_FAR_WATCHES ------------------------------------------------------------------------

// SKERRY_FAR_WATCHES  1: each PE has a processor that executes the operations of far PEs and nothing else, so it can also
//                     watch for changes. Then far atomics of this machine are as fast as messages.
#if SKERRY_FAR_WATCHES

// Does what skerry_far_send does for a message of two words and `bytes` bytes that follow them, of together at most
// SKERRY_FAR_MESSAGE_MAX bytes. It is faster if they are at most SKERRY_FAR_REPLY_MAX bytes. The message takes effect after
// all puts to PE `pe` that skerry_far_begin_put has begun.
void skerry_far_send_two(int pe, int number, uint32_t first, uint32_t second, const void *rest, size_t bytes);

// Sets the handler as skerry_far_on_message does. In a job of several programs it does not make this PE one that runs a program
// for other PEs (skerry_far_is_running): its program may have no other handlers yet.
void skerry_far_set_handler(int number, skerry_far_handler *handler);

// Puts 8 bytes to the symmetric address `dest` of the far PE `pe`, in a handler. They arrive before the answer to the message
// whose handler it is. The program of PE `pe` may have ended. Threads may call it too: two such puts to one PE arrive in the
// order of the calls if a lock orders the calls.
void skerry_far_put_by_handler(uint64_t *dest, uint64_t value, int pe);

// Calls `poll` again and again while the word `*count` of this PE is not 0. The calls are those of a handler. Called before
// far PEs send messages, for at most SKERRY_FAR_WATCHES_MAX words. A handler that has changed `*count` need not call
// skerry_far_begin_watching.
#define SKERRY_FAR_WATCHES_MAX 2
void skerry_far_watch(const uint32_t *count, void (*poll)(void));
// Must be called by a thread of this PE after it has changed `*count` from 0 to another value.
void skerry_far_begin_watching(void);

// Does what skerry_far_order_begun_puts does, for one posted atomic (an atomic without a result) that this thread executes
// next. Waits only for puts that other threads have begun. The machine itself performs the atomic behind this thread's
// puts, and does not wait for them.
void skerry_far_order_puts_of_others(void);

#endif
#endif

// -- Contexts and nodes: machines with SKERRY_FAR_PES ------------------------------------------------------------------
#if SKERRY_FAR_PES

// -- Contexts ----------------------------------------------------------------------------------------------------------

// A context is a number below SKERRY_FAR_CONTEXTS by which a thread groups its operations on far PEs. The thread can
// then wait for the operations of one context only. Number 0 stands for all operations of this PE. If several contexts
// of a program share a number, a wait for one of them also waits for the others.
#define SKERRY_FAR_CONTEXTS 64

// Sets the context of this thread's later operations on far PEs, until the thread's next call of this function. `pe` is
// the PE of the next operation. A thread calls this function before each operation with a context other than 0. An
// operation without such a call can belong to any context. The call costs nothing if PE `pe` is near.
void skerry_use_context(uint32_t context, int pe);

// Do what skerry_fence and skerry_quiet do, for two sets of operations: all operations on near PEs, and the operations
// of one context on far PEs.
void skerry_fence_of(uint32_t context);
void skerry_quiet_of(uint32_t context);

// -- Nodes -------------------------------------------------------------------------------------------------------------

// The PEs of a node have consecutive ranks. Nodes have numbers from 0 on, in the order of the ranks of their PEs.
//     skerry_node_count   returns the number of nodes of the job. Costs a load.
//     skerry_node_of      returns the number of the node of PE `pe`. Costs a binary search.
//     skerry_node_first   returns the rank of the first PE of a node. If `node` is equal to the number of nodes, returns
//                         the number of PEs of the job. Costs a load.
int skerry_node_count(void);
int skerry_node_of(int pe);
int skerry_node_first(int node);

// Returns true if this PE can begin an operation on a far PE at once. Returns false if its first one would have to open
// the network before.
bool skerry_far_is_open(void);

// Copies `bytes` bytes to the object at symmetric address `dest` of PE `pe`, and then changes the word `signal` of that
// PE. If `adds` is true, `value` is added to the word. If not, `value` is stored. Wakes the PE. Works for near PEs too.
// * Data and signal are sent at once. The program is allowed to change the source when the function returns.
// * A PE that sees the new value of `signal` also sees the data. It also sees the data of all earlier puts of this PE
//   to PEs of the same node.
// * skerry_quiet does not wait for the signal. So the receiver must wait for the signal before the job ends.
void skerry_put_and_signal(void *dest, const void *source, size_t bytes, skerry_word *signal, skerry_word value,
                           bool adds, int pe);

#endif
#endif
