// SPDX-License-Identifier: BSD-3-Clause
// Declarations that the files of this folder share.
#ifndef SKERRY_RPC_INTERNAL_H
#define SKERRY_RPC_INTERNAL_H

#include <shmemx.h>

#include "../primitive/checking.h"
#include "message.h"

// Returns the function with this number in this PE; NULL if there is none.
SKERRY_PRIVATE struct skerry_function *skerry_rpc_find(uint32_t id);

// Creates this PE's queues and lets this PE run the calls that arrive in them. Called by the first registration of a
// function; later calls do nothing.
SKERRY_PRIVATE void skerry_rpc_begin(void);

// Counters of this PE. If two threads increment a counter at the same moment, one increment may be lost.
extern SKERRY_PRIVATE shmemx_rpc_counters_t skerry_rpc_counts;
SKERRY_ALWAYS_INLINE void skerry_rpc_count(unsigned long *counter) {
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

// Status of this thread's last call.
extern SKERRY_PRIVATE SKERRY_PER_THREAD int skerry_rpc_last_status;

// Restores the call that the program was making when this thread began to run calls of other PEs, if one of these
// replaced it (skerry_rpc_keep).
SKERRY_PRIVATE void skerry_rpc_restore_kept(void);

// A call under way. Element i belongs to the same call as element i of the replies.
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
SKERRY_PRIVATE int skerry_rpc_take_event(void); // returns the index of a free element, or -1 if none is free
SKERRY_PRIVATE void skerry_rpc_free_event(int event);

// Waits until the call has ended. Interrupts the target if no reply arrives within a number of polls. Returns the
// status.
SKERRY_PRIVATE int skerry_rpc_await(int event);
SKERRY_PRIVATE bool skerry_rpc_has_ended(int event, int *status);
// Copies the results in the reply to a call.
SKERRY_PRIVATE void skerry_rpc_results(int event, struct skerry_results *results);

#endif
