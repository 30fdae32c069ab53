// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this folder share: the table of functions, the calls that are under way, and the functions
// for calls to other nodes.
#ifndef SKERRY_RPC_QUEUE_INTERNAL_H
#define SKERRY_RPC_QUEUE_INTERNAL_H

#include <shmemx.h>

#include "../../primitive/checking.h"
#include "message.h"

// Returns the function with this number in this PE; NULL if there is none.
SKERRY_PRIVATE struct skerry_function *skerry_rpc_find(uint32_t id);

// Creates this PE's queues and lets this PE run the calls that arrive in them. Called at each registration of a
// function. Only the first call has an effect.
SKERRY_PRIVATE void skerry_rpc_begin(void);

// Counters of this PE. If two threads increment a counter at the same moment, one increment can be lost.
extern SKERRY_PRIVATE shmemx_rpc_counters_t skerry_rpc_counts;
SKERRY_ALWAYS_INLINE void skerry_rpc_count(unsigned long *counter) {
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

// Status of the last remote procedure call that this thread made.
extern SKERRY_PRIVATE SKERRY_PER_THREAD int skerry_rpc_last_status;

// Restores the program's kept call after this thread has run calls of other PEs. The kept call is the function and the
// arguments that the program has stored for its next routine (skerry_rpc_keep). Does nothing if no call of another PE
// has replaced the kept call.
SKERRY_PRIVATE void skerry_rpc_restore_kept(void);

// How the attempt to send a call ended.
enum skerry_rpc_outcome {
    SKERRY_RPC_SENT,
    SKERRY_RPC_FULL,       // the target's queue has no free slot
    SKERRY_RPC_LEFT,       // the target or the caller has left the job
    SKERRY_RPC_NO_QUEUE,   // far targets only: the target's queue has no slots (SKERRY_RPC_DEPTH=0)
    SKERRY_RPC_NO_FUNCTION // far targets only: the target has no function that other PEs can call
};
// Status in the reply to a refused call (a call that the target does not run). `outcome` is the reason, from enum
// skerry_rpc_outcome.
#define SKERRY_RPC_REFUSAL(outcome) (-100 - (int)(outcome))

// What the caller stores about a call that is under way. Element i of skerry_rpc_pending belongs to the same call as
// element i of the replies (message.h).
struct skerry_rpc_pending {
    uint16_t number; // number of the event in the program's handle; incremented each time that the element is taken
    uint16_t reply;  // number of the reply to the last call that was sent from this element
    int16_t pe;
    uint8_t is_open; // 1: the program holds an event for this call
    uint8_t is_over; // 1: the call has ended without a reply, and `status` is valid
    uint8_t result_kind;
    uint16_t result_bytes;
    int32_t status;
};
extern SKERRY_PRIVATE struct skerry_rpc_pending skerry_rpc_pending[SKERRY_RPC_REPLIES];
SKERRY_PRIVATE int skerry_rpc_take_event(void); // takes a free element; returns its index, or -1 if no element is free
SKERRY_PRIVATE void skerry_rpc_free_event(int event);
// Takes an element of skerry_rpc_pending (one for each call that is under way) for a call to a PE of another node. The
// caller waits for the reply. If all elements are in use, waits until another thread frees an element. The caller
// cannot run the function itself instead, because it cannot access the data of a PE of another node.
SKERRY_PRIVATE int skerry_rpc_take_event_for_wait(void);

// Returns a number for the reply to a call that is sent now. `event` is the index of the element that receives the
// reply. The number differs from the number that this element holds. The caller therefore sees that the reply has
// arrived, because the element's number changes (event.c).
SKERRY_ALWAYS_INLINE uint16_t skerry_rpc_next_reply(int event) {
    uint16_t before = (uint16_t)skerry_rpc_replies()[event].results.number; // changes only if a reply arrives: not now
    uint16_t number = before == UINT16_MAX ? 1 : (uint16_t)(before + 1);
    skerry_rpc_pending[event].reply = number;
    return number;
}

// Waits until call `event` has ended, and returns its status. If no reply arrives within POLLS_BEFORE_INTERRUPTING
// polls (send.c), interrupts the target.
SKERRY_PRIVATE int skerry_rpc_await(int event);
SKERRY_PRIVATE bool skerry_rpc_has_ended(int event, int *status);
// Copies the results of call number `event` from its reply into `*results`.
SKERRY_PRIVATE void skerry_rpc_results(int event, struct skerry_results *results);

// Returns the end of a queue: the data that a sender needs. Through this end, the process sends calls of class `class`
// (urgent, normal, background) to PE `pe` of this node.
SKERRY_PRIVATE struct skerry_queue_end *skerry_rpc_end_of(int class, int pe);

// Makes a call to PE `pe` of another node and waits for its reply, which arrives in element `event` of the replies.
// Returns how the attempt to send the call ended. If the result is SKERRY_RPC_SENT, stores the call's status in
// *status. `waits` has the same meaning as in skerry_rpc_send_far.
SKERRY_PRIVATE enum skerry_rpc_outcome skerry_rpc_call_far(int pe, const struct skerry_function *function,
                                                           const struct skerry_arguments *arguments, int class,
                                                           int event, bool waits, int *status);
// Sends a call to PE `pe` of another node. `caller` says where the reply goes. The function adds the flags for vector
// registers and the block. If the target's queue is full and `waits` is true, waits for a free slot, and runs calls of
// other PEs meanwhile.
SKERRY_PRIVATE enum skerry_rpc_outcome skerry_rpc_send_far(int pe, const struct skerry_function *function,
                                                           const struct skerry_arguments *arguments, int class,
                                                           struct skerry_rpc_caller caller, bool waits);
// Sends the reply to a call of a PE of another node. `note` is the word that is stored beside the number of the reply.
SKERRY_PRIVATE void skerry_rpc_reply_far(struct skerry_rpc_caller caller, const struct skerry_results *results,
                                         uint32_t note);

#endif
