// SPDX-License-Identifier: BSD-3-Clause
// Applies a program's choices for its calls on a machine whose cores pass calls through rings (queues of calls). The
// choices are the class of the calls, the policy for calls that find the target's ring full, and blocks of data. This
// file is linked only into programs that make such a choice.
#include "ring.h"

#include <shmemx.h>

// `any` is not 0 if `class` or `when_full` is not the default. The thunk f_rpc (the program's code for a call) tests
// only `any` (call_chosen.S).
struct {
    uint32_t any;
    int class;
    int when_full;
} skerry_rpc_choice = {.class = SHMEMX_RPC_NORMAL};

unsigned long skerry_rpc_refused;

static void settle(void) {
    SKERRY_NEEDS_CALLS();
    if (SKERRY_CALL_ASSEMBLY) SKERRY_NEEDS_SYMBOL("skerry_call_elsewhere");
    skerry_rpc_choice.any = skerry_rpc_choice.class != SHMEMX_RPC_NORMAL || skerry_rpc_choice.when_full;
    skerry_compiler_fence();
    skerry_rpc.last = SKERRY_RPC_NO_CORE;
}

// Sets the class of this PE's calls and returns the previous class. Called by class.c only.
int skerry_rpc_choose_class(int class);
int skerry_rpc_choose_class(int class) {
    int before = skerry_rpc_choice.class;
    skerry_rpc_choice.class = class;
    settle();
    return before;
}

int shmemx_rpc_when_full(int policy) {
    int before = skerry_rpc_choice.when_full;
    if (policy < SHMEMX_RPC_RUN || policy > SHMEMX_RPC_REFUSE)
        skerry_fail_values(__func__,
                           "policy #: must be SHMEMX_RPC_RUN (0), SHMEMX_RPC_WAIT (1) or SHMEMX_RPC_REFUSE (2)",
                           (long[]){policy}, 1);
    skerry_rpc_choice.when_full = policy;
    settle();
    return before;
}

static bool push(const struct skerry_rpc_call *call, int pe, int class) {
    if (skerry_rpc_push_class) return skerry_rpc_push_class(call, pe, class);
    return skerry_rpc_push(call, pe);
}

// Sends a call with the chosen class and policy, and returns the call's status. A PE that waits here for space in the
// target's ring (queue of calls) runs the calls in its own ring. Two PEs with full rings therefore cannot deadlock. A
// function that runs for another PE, or a handler, must not wait here. If the ring is full, its status is
// SHMEMX_RPC_RUN_BY_CALLER, and the caller runs the function itself.
int skerry_rpc_send(const struct skerry_rpc_call *call, int pe) {
    int class = skerry_rpc_choice.class, when_full = skerry_rpc_choice.when_full;
    bool may_wait = skerry_can_be_interrupted() && skerry_rpc_level() == 0;
    if (skerry_rpc.depth == 0 && when_full == SHMEMX_RPC_WAIT) return SHMEMX_RPC_RUN_BY_CALLER;
    for (;;) {
        bool has_block = call->function & SKERRY_RPC_BLOCK;
        if (has_block ? skerry_rpc_push_block(call, pe, class, push) : push(call, pe, class)) return SHMEMX_RPC_SERVED;
        if (!may_wait || when_full == SHMEMX_RPC_RUN) return SHMEMX_RPC_RUN_BY_CALLER;
        if (when_full == SHMEMX_RPC_REFUSE) break;
    }
    skerry_rpc_refused++;
    return SHMEMX_RPC_REFUSED;
}

#if SKERRY_CALL_ASSEMBLY
// Makes a call of f_rpc with the chosen class and policy, and returns the result. Called by call_chosen.S.
uint64_t skerry_rpc_call_chosen(const struct skerry_kept_call *kept);
uint64_t skerry_rpc_call_chosen(const struct skerry_kept_call *kept) {
    struct skerry_results results;
    skerry_rpc_call(kept, &results);
    return results.integers;
}
#endif
