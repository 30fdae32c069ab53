// SPDX-License-Identifier: BSD-3-Clause
// Defines what the macro RPC(f) adds to the program if calls wait in queues: an object that describes the function, and
// two thunks. A thunk is a few instructions that pass a call to the library with all its argument registers
// (src/machine/contract/call.h). The thunk f_rpc makes a call and waits for its result. The thunk skerry_keep_f keeps
// the function and its arguments for the routine that the program calls next.
#ifndef SKERRY_RPC_QUEUE_FUNCTION_H
#define SKERRY_RPC_QUEUE_FUNCTION_H

#include "../../machine/call.h"

// Describes a function that other PEs can call. Each RPC(f) defines one object of this type in its image (the
// executable or shared library that contains this RPC(f)).
struct skerry_function {
    void (*code)(void); // first member, because the assembly in entries.c loads it from offset 0
    const char *name;   // name and file together identify the function
    const char *file;
    // Number of the function, equal in all PEs, even if their images are at different addresses. 0: not registered.
    uint32_t id;
    uint32_t takes_block;         // 1: the second argument is a block, and the third is its size in bytes
    struct skerry_function *next; // next function in the same list of the table of functions
    uint32_t stacked;             // number of x87 stack registers that the result takes; SKERRY_CALL_NOTE stores it
};

void skerry_rpc_register(struct skerry_function *function);
void skerry_rpc_unregister(struct skerry_function *function);

#ifdef __cplusplus
#define SKERRY_RPC_ADDRESS(f) reinterpret_cast<void (*)(void)>(f)
#else
#define SKERRY_RPC_ADDRESS(f) ((void (*)(void))(f))
#endif
#define SKERRY_RPC_FUNCTION(f, BLOCK)                                                                                  \
    SKERRY_RPC_REQUIRE(f)                                                                                              \
    extern __typeof__(f) f##_rpc SKERRY_SYMBOL(#f "_rpc");                                                             \
    extern __typeof__(f) skerry_keep_##f SKERRY_SYMBOL("skerry_keep_" #f);                                             \
    extern struct skerry_function skerry_function_##f SKERRY_SYMBOL("skerry_function_" #f)                             \
        __attribute__((visibility("hidden")));                                                                         \
    __attribute__((used, visibility("hidden"))) struct skerry_function skerry_function_##f = {                         \
        SKERRY_RPC_ADDRESS(f), #f, __FILE__, 0, BLOCK, 0, 0};                                                          \
    __attribute__((constructor)) static void skerry_register_##f(void) {                                               \
        skerry_rpc_register(&skerry_function_##f);                                                                     \
    }                                                                                                                  \
    __attribute__((destructor)) static void skerry_unregister_##f(void) {                                              \
        skerry_rpc_unregister(&skerry_function_##f);                                                                   \
    }                                                                                                                  \
    SKERRY_THUNK(#f "_rpc", "skerry_function_" #f, SKERRY_RPC_ENTRY)                                                   \
    SKERRY_THUNK("skerry_keep_" #f, "skerry_function_" #f, "skerry_rpc_keep_entry")

// Name of the library function to which the thunk f_rpc (the program's code for a call of f) jumps. If the program is
// compiled with SKERRY_CHECK, this function checks every call. A call on this PE's own data, which runs as an ordinary
// call, is checked too.
#ifdef SKERRY_CHECK
#define SKERRY_RPC_ENTRY "skerry_rpc_checked_entry"
#else
#define SKERRY_RPC_ENTRY "skerry_rpc_call_entry"
#endif

#endif
