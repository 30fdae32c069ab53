// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions to which the thunks of a program jump: pieces of code that the macro RPC defines. The thunk
// f_rpc calls f on the core that owns its first argument. The thunk skerry_keep_f keeps the call for a routine that
// does not wait. ../call.S explains the protocol.
#include "../ring.h"

SKERRY_CALL_ENTRY("skerry_call", "skerry_rpc_call_of_thunk")
SKERRY_KEEP_ENTRY("skerry_keep_call", "skerry_rpc_keep")

// Called only by the entry skerry_call above, which has stored the function behind the arguments: both are a struct
// skerry_kept_call.
void skerry_rpc_call_of_thunk(uintptr_t function, const struct skerry_arguments *arguments,
                              struct skerry_results *results);
void skerry_rpc_call_of_thunk(uintptr_t function, const struct skerry_arguments *arguments,
                              struct skerry_results *results) {
    _Static_assert(offsetof(struct skerry_kept_call, function) == sizeof *arguments,
                   "the function is behind the arguments");
    (void)function;
    skerry_rpc_call((const struct skerry_kept_call *)(const void *)arguments, results);
}

void skerry_rpc_keep(uintptr_t function, const struct skerry_arguments *arguments);
void skerry_rpc_keep(uintptr_t function, const struct skerry_arguments *arguments) {
    struct skerry_kept_call *kept = skerry_kept_call();
    skerry_rpc_copy(&kept->arguments, arguments, sizeof kept->arguments);
    kept->function = function;
}

extern char _skerry_rpc_bytes[] SKERRY_SYMBOL("__skerry_rpc_bytes"); // its address is SKERRY_RPC_ONE times the depth

// Sets the words that this core needs as a caller, and makes its interrupt handler run calls. Does not set the words of
// the ring itself (tail, head, lock, gate): other cores have possibly stored calls in the ring already. Runs before
// main.
void skerry_rpc_begin(void) __attribute__((constructor));
void skerry_rpc_begin(void) {
    skerry_rpc.depth = (uint32_t)(uintptr_t)_skerry_rpc_bytes;
    skerry_rpc.last = SKERRY_RPC_NO_CORE;
    skerry_rpc.done = 1; // the status before the first call is SHMEMX_RPC_SERVED
    skerry_after_handlers(skerry_rpc_serve);
}
