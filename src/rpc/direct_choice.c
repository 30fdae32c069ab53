// SPDX-License-Identifier: BSD-3-Clause
// What a program chooses for its calls, where the machine carries calls itself: their class, what becomes of those that find no
// room, and blocks that go along. In programs that choose nothing, nothing of this is linked.
#include "../machine/call.h"

#ifdef SKERRY_CALLS_BY_MACHINE

#include <shmemx.h>

// `any` is what f_rpc looks at; see rpc_choice.S.
struct {
    uint32_t any;
    int class;
    int when_full;
} skerry_rpc_choice = {.class = SHMEMX_RPC_NORMAL};

unsigned long skerry_rpc_refused;

static void settle(void) {
    SKERRY_NEEDS_CALLS();
    SKERRY_NEEDS_SYMBOL("_skerry_call_elsewhere");
    skerry_rpc_choice.any = skerry_rpc_choice.class != SHMEMX_RPC_NORMAL || skerry_rpc_choice.when_full;
    skerry_compiler_fence();
    skerry_rpc.last = SKERRY_RPC_NO_CORE;
}

// With classes only, see direct_class.c.
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
        skerry_fail_values(__func__, "policy # is not one of 0 to #", (long[]){policy, SHMEMX_RPC_REFUSE}, 2);
    skerry_rpc_choice.when_full = policy;
    settle();
    return before;
}

static bool push(const struct skerry_rpc_call *call, int pe, int class) {
    if (skerry_rpc_push_class) return skerry_rpc_push_class(call, pe, class);
    return skerry_rpc_push(call, pe);
}

// Whoever waits here serves others meanwhile, so two PEs whose rings are full never wait for each other. A function that
// is run for another PE, and a handler, must not wait.
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

// Called by rpc_choice.S for f_rpc.
uint64_t skerry_rpc_call_chosen(const struct skerry_kept_call *kept);
uint64_t skerry_rpc_call_chosen(const struct skerry_kept_call *kept) {
    int pe = skerry_owner((void *)(uintptr_t)kept->arguments[0]);
    if (pe == skerry_my_pe()) return skerry_rpc_run_here(kept, pe);
    struct skerry_rpc_event answer = {0};
    struct skerry_rpc_call call = {.function = kept->function, .event = skerry_global(&answer, skerry_my_pe())};
    for (int i = 0; i < 4; i++) call.arguments[i] = kept->arguments[i];
    // While others' calls stay in this PE's ring, nor where they cannot come in, it does not wait for another's.
    bool may_wait = skerry_can_be_interrupted() && !(skerry_rpc.head & SKERRY_RPC_SERVES);
    int status = may_wait ? skerry_rpc_send(&call, pe) : SHMEMX_RPC_RUN_BY_CALLER;
    if (status == SHMEMX_RPC_RUN_BY_CALLER) answer.value = skerry_rpc_run_here(kept, pe);
    while (status == SHMEMX_RPC_SERVED && !answer.done) continue;
    skerry_compiler_fence();
    skerry_rpc_note(status);
    return answer.value;
}

#endif
