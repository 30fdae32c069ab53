// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this folder share.
#ifndef SKERRY_RPC_QUEUE_INTERNAL_H
#define SKERRY_RPC_QUEUE_INTERNAL_H

#include <shmemx.h>

#include "../../primitive/checking.h"
#include "message.h"

// Returns the function with this number in this PE; NULL if there is none.
SKERRY_PRIVATE struct skerry_function *skerry_rpc_find(uint32_t id);

// Creates this PE's queues and lets this PE run the calls that arrive in them. Called at each registration of a
// function; only the first call has an effect.
SKERRY_PRIVATE void skerry_rpc_begin(void);

// Counters of this PE. If two threads increment a counter at the same moment, one increment can be lost.
extern SKERRY_PRIVATE shmemx_rpc_counters_t skerry_rpc_counts;
SKERRY_ALWAYS_INLINE void skerry_rpc_count(unsigned long *counter) {
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

// Status of this thread's last call.
extern SKERRY_PRIVATE SKERRY_PER_THREAD int skerry_rpc_last_status;

// Restores the program's kept call after this thread has run calls of other PEs. The kept call is the function and the
// arguments that the program has stored for its next routine (skerry_rpc_keep). Does nothing if no call of another PE
// has replaced it.
SKERRY_PRIVATE void skerry_rpc_restore_kept(void);

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
extern SKERRY_PRIVATE struct skerry_rpc_pending skerry_rpc_pending[SKERRY_RPC_EVENTS];
SKERRY_PRIVATE int skerry_rpc_take_event(void); // takes a free element; returns its index, or -1 if no element is free
SKERRY_PRIVATE void skerry_rpc_free_event(int event);

// Waits until call `event` has ended, and returns its status. If no reply arrives within some polls (send.c,
// POLLS_BEFORE_INTERRUPTING), interrupts the target.
SKERRY_PRIVATE int skerry_rpc_await(int event);
SKERRY_PRIVATE bool skerry_rpc_has_ended(int event, int *status);
// Copies the results of call number `event` from its reply into `*results`.
SKERRY_PRIVATE void skerry_rpc_results(int event, struct skerry_results *results);

#endif
