// SPDX-License-Identifier: BSD-3-Clause
// Defines the function to which f_rpc (the program's code for a call of f) jumps if f takes a block of data. The
// function has its own file, because only programs with such functions must contain the code for blocks: ../block.c,
// and skerry_rpc_send (../choice.c), which sends them.
#include "../ring.h"

SKERRY_CALL_ENTRY("skerry_call_block", "skerry_rpc_call_with_block")

void skerry_rpc_call_of_thunk(uintptr_t function, const struct skerry_arguments *arguments,
                              struct skerry_results *results);
void skerry_rpc_call_with_block(uintptr_t function, const struct skerry_arguments *arguments,
                                struct skerry_results *results);
void skerry_rpc_call_with_block(uintptr_t function, const struct skerry_arguments *arguments,
                                struct skerry_results *results) {
    SKERRY_NEEDS_SYMBOL("skerry_rpc_send");
    SKERRY_NEEDS_SYMBOL("skerry_rpc_push_block");
    skerry_rpc_call_of_thunk(function, arguments, results);
}
