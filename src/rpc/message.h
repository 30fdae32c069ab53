// SPDX-License-Identifier: BSD-3-Clause
// What lies in the memory where calls arrive (the same offset in every PE): replies to this PE's calls, and a queue for each
// class with a block of bytes for each of its slots.
#ifndef SKERRY_RPC_MESSAGE_H
#define SKERRY_RPC_MESSAGE_H

#include "../machine/call.h"
#include "../primitive/mailbox.h"
#include "../primitive/queue.h"

#define SKERRY_RPC_CLASSES 3
#define SKERRY_RPC_PART 0      // of the memory for requests
#define SKERRY_RPC_INTERRUPT 0 // and a number for each class
#define SKERRY_RPC_EVENTS 1024
#define SKERRY_RPC_BLOCK_BYTES 4096
#define SKERRY_RPC_DEPTH_DEFAULT 64
#define SKERRY_RPC_DEPTH_MAX 1024

// A call. The slot's note is the number of the function, so that with up to six integers it has one line.
struct skerry_rpc_message {
    struct skerry_rpc_caller {
        uint16_t pe;
        uint16_t event;  // of that PE: where the reply goes,
        uint16_t number; // and the number that it has
        uint16_t flags;  // SKERRY_CALL_LOW, SKERRY_CALL_HIGH and those below
    } caller;
    struct skerry_arguments arguments;
};
enum { SKERRY_RPC_NO_REPLY = 4, SKERRY_RPC_HAS_BLOCK = 8, SKERRY_RPC_ON_RECORD = 16 };

// The vector registers that a PE's calls with event 0 had last, at their target: element i is PE i's. A thunk cannot tell
// arguments from what the program has left in these registers, and a second line costs a call half a journey more; so it is
// written only when it has changed, which in a loop of calls with integers it does not. Event 0 belongs to one call at a time,
// and no other refers to the record.
#define SKERRY_RPC_RECORD_EVENT 0
struct skerry_rpc_record {
    _Alignas(SKERRY_LINE) uint64_t low[8];
};

// Written by whoever has run the call, results.number last; read by its caller: a mailbox.
struct skerry_rpc_reply {
    _Alignas(2 * SKERRY_LINE) struct skerry_results results;
};

SKERRY_ALWAYS_INLINE size_t skerry_rpc_slot_bytes(void) {
    size_t bytes = skerry_queue_slot_bytes(sizeof(struct skerry_rpc_message));
    return (bytes + SKERRY_LINE - 1) / SKERRY_LINE * SKERRY_LINE;
}

// Where things lie in this PE's part.
SKERRY_ALWAYS_INLINE struct skerry_rpc_reply *skerry_rpc_replies(void) {
    size_t bytes;
    return (struct skerry_rpc_reply *)skerry_request_memory(SKERRY_RPC_PART, &bytes);
}

SKERRY_ALWAYS_INLINE struct skerry_rpc_record *skerry_rpc_records(void) {
    return (struct skerry_rpc_record *)(void *)&skerry_rpc_replies()[SKERRY_RPC_EVENTS];
}

SKERRY_ALWAYS_INLINE struct skerry_queue *skerry_rpc_queue(int class) {
    size_t each = skerry_queue_bytes(SKERRY_RPC_DEPTH_MAX, skerry_rpc_slot_bytes());
    char *behind = (char *)&skerry_rpc_records()[SKERRY_PES_MAX];
    return (struct skerry_queue *)(void *)(behind + each * (unsigned)class);
}

// The most that fits, and the block of a slot.
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
