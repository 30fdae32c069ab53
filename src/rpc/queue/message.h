// SPDX-License-Identifier: BSD-3-Clause
// Defines the layout of the memory in which a PE receives calls and replies. This memory has the same offset in every
// PE. It has four parts:
// * the replies to the PE's own calls;
// * the records of callers' vector registers (struct skerry_rpc_record);
// * one queue for each class of calls (urgent, normal, background);
// * one block of SKERRY_RPC_BLOCK_BYTES bytes for each slot of a queue.
#ifndef SKERRY_RPC_QUEUE_MESSAGE_H
#define SKERRY_RPC_QUEUE_MESSAGE_H

#include "../../machine/call.h"
#include "../../primitive/mailbox.h"
#include "../../primitive/queue.h"

#define SKERRY_RPC_CLASSES 3
#define SKERRY_RPC_PART 0      // remote calls use this part of the machine's memory for requests
#define SKERRY_RPC_INTERRUPT 0 // interrupt number of the first class; the other classes have the next numbers
// A machine with little memory defines smaller numbers in its call.h. The number of events is a multiple of 64.
#ifndef SHMEMX_RPC_EVENTS
#define SHMEMX_RPC_EVENTS 1024
#endif
#ifndef SHMEMX_RPC_BLOCK_BYTES
#define SHMEMX_RPC_BLOCK_BYTES 4096
#endif
#ifndef SKERRY_RPC_DEPTH_MAX
#define SKERRY_RPC_DEPTH_MAX 1024
#define SKERRY_RPC_DEPTH_DEFAULT 64
#endif
#define SKERRY_RPC_EVENTS SHMEMX_RPC_EVENTS
#define SKERRY_RPC_BLOCK_BYTES SHMEMX_RPC_BLOCK_BYTES
// Number of replies: one for each event (an asynchronous call), and 64 more for callers that wait for a reply
// (skerry_rpc_take_event_for_wait).
#define SKERRY_RPC_REPLIES (SKERRY_RPC_EVENTS + 64)

// A call in a slot of the target's queue. The number of the function is not here but in the slot's note (a word of the
// slot). A call with up to six integer arguments therefore fits into one cache line.
struct skerry_rpc_message {
    struct skerry_rpc_caller {
        uint16_t pe;
        uint16_t event;  // index of the reply in the caller's array of replies
        uint16_t number; // number that the reply gets (event.c)
        uint16_t flags;  // SKERRY_CALL_LOW, SKERRY_CALL_HIGH and the flags below
    } caller;
    struct skerry_arguments arguments;
};
enum { SKERRY_RPC_NO_REPLY = 4, SKERRY_RPC_HAS_BLOCK = 8, SKERRY_RPC_ON_RECORD = 16, SKERRY_RPC_REPLY_TO_REFUSE = 32 };

// A record: a copy, in the target's memory, of a caller's vector registers. Record i holds the lower halves of the
// vector registers that PE i has sent last for a call with event 0.
//
// Why records exist:
// * A thunk (the code that passes a call to the library) does not know whether the vector registers hold arguments. It
//   must send them.
// * They do not fit into the first cache line of the message. A second line would make each call longer by half the
//   time that a line needs between two processors.
// * In a loop of calls with integer arguments the registers do not change. The caller writes the record only if they
//   have changed since its last call to this target.
// * Only calls with event 0 refer to the record. Event 0 belongs to one call at a time, so no other call changes the
//   record before the target has read it.
#define SKERRY_RPC_RECORD_EVENT 0
struct skerry_rpc_record {
    _Alignas(SKERRY_LINE) uint64_t low[8];
};

// A reply: a mailbox (primitive/mailbox.h). The PE that has run the call writes the reply, results.number last. The
// caller reads it. The note beside the number contains the status in its upper 24 bits, and the number of results on
// the x87 stack. One more bit is set if the call interrupted a target on another node. If a full queue on another node
// refuses a call, the process that found the queue full writes number and note (SKERRY_RPC_REFUSAL).
#define SKERRY_RPC_HAS_INTERRUPTED 0x80u
#define SKERRY_RPC_STACKED 0x7fu
struct skerry_rpc_reply {
    _Alignas(2 * SKERRY_LINE) struct skerry_results results;
};

SKERRY_ALWAYS_INLINE size_t skerry_rpc_slot_bytes(void) {
    size_t bytes = skerry_queue_slot_bytes(sizeof(struct skerry_rpc_message));
    return (bytes + SKERRY_LINE - 1) / SKERRY_LINE * SKERRY_LINE;
}

// skerry_rpc_replies, skerry_rpc_records, skerry_rpc_queue and skerry_rpc_block return the addresses of the four parts
// of this PE's memory for calls.
SKERRY_ALWAYS_INLINE struct skerry_rpc_reply *skerry_rpc_replies(void) {
    size_t bytes;
    return (struct skerry_rpc_reply *)skerry_request_memory(SKERRY_RPC_PART, &bytes);
}

SKERRY_ALWAYS_INLINE struct skerry_rpc_record *skerry_rpc_records(void) {
    return (struct skerry_rpc_record *)(void *)&skerry_rpc_replies()[SKERRY_RPC_REPLIES];
}

SKERRY_ALWAYS_INLINE struct skerry_queue *skerry_rpc_queue(int class) {
    size_t each = skerry_queue_bytes(SKERRY_RPC_DEPTH_MAX, skerry_rpc_slot_bytes());
    char *behind = (char *)&skerry_rpc_records()[SKERRY_PES_MAX];
    return (struct skerry_queue *)(void *)(behind + each * (unsigned)class);
}

// Returns the greatest number of slots that each queue can have: a power of two. The memory for calls must have a block
// for each slot.
SKERRY_ALWAYS_INLINE uint32_t skerry_rpc_depth_max(void) {
    size_t bytes;
    char *begin = (char *)skerry_request_memory(SKERRY_RPC_PART, &bytes);
    size_t left = bytes - (size_t)((char *)skerry_rpc_queue(SKERRY_RPC_CLASSES) - begin);
    size_t fit = left / SKERRY_RPC_CLASSES / SKERRY_RPC_BLOCK_BYTES;
    uint32_t most = SKERRY_RPC_DEPTH_MAX;
    while (most > fit) most /= 2;
    return most;
}

SKERRY_ALWAYS_INLINE void *skerry_rpc_block(int class, size_t slot) {
    char *begin = (char *)skerry_rpc_queue(SKERRY_RPC_CLASSES);
    size_t at = (size_t)(unsigned)class * skerry_rpc_depth_max() + slot;
    return begin + at * SKERRY_RPC_BLOCK_BYTES;
}

#endif
