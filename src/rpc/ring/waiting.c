// SPDX-License-Identifier: BSD-3-Clause
// Makes a call and waits for its end. On a machine with assembly for calls (call.S), this file is linked only into some
// programs: those that choose a class or a policy for full rings, or that send blocks.
#include "ring.h"

void skerry_rpc_call(const struct skerry_kept_call *kept, struct skerry_results *results) {
    int pe = skerry_owner((void *)(uintptr_t)kept->arguments.integers[0]);
    if (pe == skerry_my_pe()) {
        skerry_rpc_run_here(kept, pe, results);
        return;
    }
    struct skerry_rpc_event answer;
    struct skerry_rpc_call call;
    answer.done = 0;
    skerry_rpc_copy(&call.arguments, &kept->arguments, sizeof call.arguments);
    call.function = kept->function;
    call.event = skerry_global(&answer, skerry_my_pe());
    // This PE must not wait for another PE while nobody runs the calls in its own ring. The other PE possibly waits for
    // one of these calls. Nobody runs these calls while the ring (its queue of calls) is shut (calls are masked or
    // deferred). Nobody runs them while this PE runs a call for another PE, or cannot be interrupted.
    bool may_wait = skerry_can_be_interrupted() && !(skerry_rpc.head & SKERRY_RPC_SERVES);
    int status = may_wait ? skerry_rpc_send_or_push(&call, pe) : SHMEMX_RPC_RUN_BY_CALLER;
    if (status == SHMEMX_RPC_RUN_BY_CALLER) skerry_rpc_run_here(kept, pe, &answer.results);
    if (status == SHMEMX_RPC_REFUSED) answer.results = (struct skerry_results){0};
    while (status == SHMEMX_RPC_SERVED && !answer.done) continue;
    skerry_compiler_fence();
    skerry_rpc_note(status);
    skerry_rpc_copy(results, &answer.results, sizeof *results);
}
