// SPDX-License-Identifier: BSD-3-Clause
// What the files of this folder share.
#ifndef SKERRY_RPC_INTERNAL_H
#define SKERRY_RPC_INTERNAL_H

#include <shmemx.h>

#include "../primitive/checking.h"
#include "message.h"

// Function with this number in this PE; NULL: none.
SKERRY_PRIVATE struct skerry_function *skerry_rpc_find(uint32_t id);

// Makes this PE's queues and begins to serve them; the first registration does.
SKERRY_PRIVATE void skerry_rpc_begin(void);

// Counts; threads that call at the same moment may count one less.
extern SKERRY_PRIVATE shmemx_rpc_counters_t skerry_rpc_counts;
SKERRY_ALWAYS_INLINE void skerry_rpc_count(unsigned long *counter) {
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

// How this thread's last call ended.
extern SKERRY_PRIVATE SKERRY_PER_THREAD int skerry_rpc_last_status;

// After functions were run for others: the call that this thread was making, if it was.
SKERRY_PRIVATE void skerry_rpc_restore_kept(void);

// Calls under way: each has an element of the replies, and this PE's own notes about it.
struct skerry_rpc_pending {
    uint16_t number; // of the event in the program's handle, one more each time that the element is taken
    uint16_t reply;  // number of the reply to the last call that was sent from this element
    int16_t pe;
    uint8_t is_open; // it is an event of the program's
    uint8_t is_over; // without a reply, with `status`
    uint8_t result_kind;
    uint16_t result_bytes;
    int32_t status;
};
extern SKERRY_PRIVATE struct skerry_rpc_pending skerry_rpc_pending[SKERRY_RPC_EVENTS];
SKERRY_PRIVATE int skerry_rpc_take_event(void); // -1: none is free
SKERRY_PRIVATE void skerry_rpc_free_event(int event);

// Waits until the call has ended, interrupting the PE if it does not come by in time. Returns the status.
SKERRY_PRIVATE int skerry_rpc_await(int event);
SKERRY_PRIVATE bool skerry_rpc_has_ended(int event, int *status);
// What the reply to a call has brought.
SKERRY_PRIVATE void skerry_rpc_results(int event, struct skerry_results *results);

#endif
