// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls, public part: work goes to the data (seed S1). Included by shmemx.h.
//     float dotprod(float *a, float *b, int n) { a = localize(a), b = localize(b); ... }
//     RPC(dotprod)
//     float r = dotprod_rpc(shmem_ptr(A, 1), shmem_ptr(B, 1), n);     // runs on PE 1
#ifndef SKERRY_RPC_RPC_H
#define SKERRY_RPC_RPC_H

#include "../machine/call.h"

// How a call ended.
enum {
    SHMEMX_RPC_SERVED = 0,        // the PE of its first argument has run it
    SHMEMX_RPC_RUN_BY_CALLER = 1, // this PE has, by remote access, or because the data is its own
    SHMEMX_RPC_GONE = -1,         // not run: that PE has left the job
    SHMEMX_RPC_REFUSED = -2,      // not run: the queue was full, and shmemx_rpc_when_full says so; or no event was free
    SHMEMX_RPC_UNKNOWN = -3       // not run: that PE has no such function
};

// Classes of calls, served in this order. Calls of SHMEMX_RPC_BACKGROUND interrupt nobody.
enum { SHMEMX_RPC_URGENT, SHMEMX_RPC_NORMAL, SHMEMX_RPC_BACKGROUND };

// What becomes of a call that finds the queue full.
enum { SHMEMX_RPC_RUN, SHMEMX_RPC_WAIT, SHMEMX_RPC_REFUSE };

// How a PE that computes is interrupted when a call waits for it.
enum { SHMEMX_RPC_ONLY_WAITING, SHMEMX_RPC_BY_SIGNAL, SHMEMX_RPC_BY_THREAD };

// An asynchronous call under way. Ended by the wait or test that reports it.
typedef struct shmemx_rpc_event {
    uint32_t number; // 0: none
} shmemx_rpc_event_t;

// Of this PE, since the start.
typedef struct shmemx_rpc_counters {
    unsigned long sent;          // calls of other PEs that this PE has queued
    unsigned long run_by_caller; // calls that this PE has run itself because a queue was full
    unsigned long refused;
    unsigned long interrupting;  // interrupts that its calls have raised
    unsigned long served;        // calls of others that this PE has run
    unsigned long interrupted;   // of them, by interrupting it
} shmemx_rpc_counters_t;

#endif
