// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls on this machine, the part that is compiled into programs: how f_rpc is made for a function f.
// The protocol is in rpc.S.
#ifndef SKERRY_MACHINE_EPIPHANY_CALL_H
#define SKERRY_MACHINE_EPIPHANY_CALL_H

#include "machine.h"
#if defined(SKERRY_BUILD) || defined(SKERRY_HEADER_ONLY)
#include "rpc.h"
#endif

#define SKERRY_CALLS_BY_MACHINE 1 // this machine sends calls itself, so src/rpc/direct.c is compiled

// The kinds of results that the layers above distinguish. On this machine all results are returned in r0 and r1.
enum skerry_call_kind {
    SKERRY_CALL_NOTHING,
    SKERRY_CALL_INTEGER,
    SKERRY_CALL_REAL,
    SKERRY_CALL_LONG_REAL,
    SKERRY_CALL_COMPLEX,
    SKERRY_CALL_OTHER
};
#define SKERRY_CALL_NOTE(FUNCTION, KIND, BYTES) ((void)0)
struct skerry_function;

// A thunk: loads f's address into ip, leaves the arguments where f expects them, and jumps to ENTRY. All cores run the
// same program, so the address is the same everywhere. 1 is added to the address if a block is sent with the call. A
// thunk that is not called is not linked.
#define SKERRY_EPIPHANY_THUNK(NAME, f, BLOCK, ENTRY)                                                                   \
    __asm__(".section .text." NAME ",\"ax\"\n"                                                                         \
            ".balign 4\n"                                                                                              \
            ".global _" NAME "\n"                                                                                      \
            ".type _" NAME ", STT_FUNC\n"                                                                              \
            "_" NAME ":\n"                                                                                             \
            "mov ip, %low(_" #f " + " #BLOCK ")\n"                                                                     \
            "movt ip, %high(_" #f " + " #BLOCK ")\n"                                                                   \
            "b " ENTRY "\n"                                                                                            \
            ".size _" NAME ", . - _" NAME "\n"                                                                         \
            ".text");

// Defines f_rpc, and skerry_keep_f, the thunk of calls that the caller does not wait for; both have f's own type. BLOCK
// is 0 or 1.
#define SKERRY_RPC_FUNCTION(f, BLOCK)                                                                                  \
    SKERRY_EPIPHANY_BLOCK_##BLOCK __typeof__(f) f __attribute__((used));                                               \
    extern __typeof__(f) f##_rpc, skerry_keep_##f;                                                                     \
    SKERRY_EPIPHANY_THUNK(#f "_rpc", f, BLOCK, SKERRY_EPIPHANY_ENTRY_##BLOCK)                                          \
    SKERRY_EPIPHANY_THUNK("skerry_keep_" #f, f, BLOCK, "_skerry_keep_call")
#define SKERRY_EPIPHANY_ENTRY_0 "_skerry_call"
#define SKERRY_EPIPHANY_ENTRY_1 "_skerry_call_block"
#define SKERRY_EPIPHANY_BLOCK_0
// Also gives the linker script the size of a place for a block.
#define SKERRY_EPIPHANY_BLOCK_1 SKERRY_EPIPHANY_BLOCK_BYTES(SHMEMX_RPC_BLOCK_BYTES)
#define SKERRY_EPIPHANY_BLOCK_BYTES(BYTES)                                                                             \
    __asm__(".weak __skerry_rpc_block_bytes\n.set __skerry_rpc_block_bytes, " SKERRY_EPIPHANY_TEXT(BYTES));
#define SKERRY_EPIPHANY_TEXT(NUMBER) #NUMBER

#define SHMEMX_RPC_EVENTS 8

// Size in bytes of the largest block of RPC_BLOCK. A program may define another number before it includes shmemx.h; it
// must be the same in all its files.
#ifndef SHMEMX_RPC_BLOCK_BYTES
#define SHMEMX_RPC_BLOCK_BYTES 512
#endif
// Sets the number of blocks that may wait for a PE or be in use by its functions. A program uses this at file scope,
// once; the default is 2.
#define SHMEMX_RPC_BLOCKS(blocks) __asm__(".global __skerry_rpc_blocks\n.set __skerry_rpc_blocks, " #blocks);

// Sets the number of calls that may wait for a PE, 0 to 15. A program uses this at file scope, once; the default is 2.
#define SHMEMX_RPC_DEPTH(calls) __asm__(".global __skerry_rpc_depth\n.set __skerry_rpc_depth, " #calls);

// Returns a pointer into this core's own memory as a short address, which this core accesses without the network.
// Returns any other pointer unchanged.
SKERRY_ALWAYS_INLINE void *skerry_rpc_localize(const volatile void *pointer) {
    uint32_t core;
    __asm__("movfs %0, coreid" : "=r"(core));
    uintptr_t offset = (uintptr_t)pointer - (core << SKERRY_PARTITION_SHIFT);
    return (void *)(offset <= SKERRY_PARTITION_MASK ? offset : (uintptr_t)pointer);
}

#endif
