// SPDX-License-Identifier: BSD-3-Clause
// Defines what the macro RPC(f) adds to the program if calls wait in rings (queues of calls): two thunks. A thunk is a
// few instructions that pass a call to the library with its argument registers. All PEs run the same program, so a
// function has the same address in every PE. A thunk therefore needs no object that describes the function.
#ifndef SKERRY_RPC_RING_FUNCTION_H
#define SKERRY_RPC_RING_FUNCTION_H

#include "../../machine/call.h"

// Defines two thunks with the type of f. f_rpc calls f on another PE and waits (call.S). skerry_keep_f only keeps the
// call for a routine that does not wait (keep.S). BLOCK is 1 if f's calls send a block of data, else 0; the thunk adds
// it to the address of f. The linker leaves out a thunk that is never called. A thunk is assembly and refers to f by
// its symbol. In C++ only the compiler knows this symbol, so the compiler defines a second symbol for f,
// skerry_function_f.
#ifdef __cplusplus
#define SKERRY_RPC_FUNCTION(f, BLOCK)                                                                                  \
    SKERRY_RPC_BLOCK_##BLOCK SKERRY_RPC_REQUIRE(f) extern __typeof__(f) f##_rpc SKERRY_SYMBOL(#f "_rpc");              \
    extern __typeof__(f) skerry_keep_##f SKERRY_SYMBOL("skerry_keep_" #f);                                             \
    __attribute__((used)) static void skerry_name_##f(void) {                                                          \
        SKERRY_CALL_NAME("skerry_function_" #f, f);                                                                    \
    }                                                                                                                  \
    SKERRY_THUNK(#f "_rpc", "skerry_function_" #f " + " #BLOCK, SKERRY_RPC_ENTRY_##BLOCK)                              \
    SKERRY_THUNK("skerry_keep_" #f, "skerry_function_" #f " + " #BLOCK, "skerry_keep_call")
#else
#define SKERRY_RPC_FUNCTION(f, BLOCK)                                                                                  \
    SKERRY_RPC_BLOCK_##BLOCK __typeof__(f) f __attribute__((used));                                                    \
    extern __typeof__(f) f##_rpc, skerry_keep_##f;                                                                     \
    SKERRY_THUNK(#f "_rpc", #f " + " #BLOCK, SKERRY_RPC_ENTRY_##BLOCK)                                                 \
    SKERRY_THUNK("skerry_keep_" #f, #f " + " #BLOCK, "skerry_keep_call")
#endif
#define SKERRY_RPC_ENTRY_0 "skerry_call"
#define SKERRY_RPC_ENTRY_1 "skerry_call_block"
#define SKERRY_RPC_BLOCK_0
// Tells the linker script the size of the largest block. The script reserves memory for blocks of this size.
#define SKERRY_RPC_BLOCK_1 SKERRY_LINKER_DEFAULT(__skerry_rpc_block_bytes, SHMEMX_RPC_BLOCK_BYTES)

#define SHMEMX_RPC_EVENTS 8

// Size in bytes of the largest block that RPC_BLOCK sends. A program can define another number before it includes
// shmemx.h. The number must be the same in all files of the program.
#ifndef SHMEMX_RPC_BLOCK_BYTES
#define SHMEMX_RPC_BLOCK_BYTES 512
#endif
// Sets the number of blocks that each PE can hold: blocks whose calls wait, and blocks that a running function uses. A
// program that wants another number than 2 uses this macro in one place, at file scope.
#define SHMEMX_RPC_BLOCKS(blocks) SKERRY_LINKER_NUMBER(__skerry_rpc_blocks, blocks)

// Sets the number of calls that can wait for each PE, 0 to 15. A program that wants another number than 2 uses this
// macro in one place, at file scope.
#define SHMEMX_RPC_DEPTH(calls) SKERRY_LINKER_NUMBER(__skerry_rpc_depth, calls)

#endif
