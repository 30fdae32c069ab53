// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls on this machine, public part: what a call is, for the compiler. The rest is rpc.S.
#ifndef SKERRY_MACHINE_EPIPHANY_CALL_H
#define SKERRY_MACHINE_EPIPHANY_CALL_H

#include "machine.h"
#if defined(SKERRY_BUILD) || defined(SKERRY_HEADER_ONLY)
#include "rpc.h"
#endif

#define SKERRY_CALLS_BY_MACHINE 1 // src/rpc/direct.c

// The floors above tell results apart by kind; here all come in r0 and r1.
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

// A thunk: f's address goes into ip, everything else stays where it is for f itself. All cores have the same program, so it
// is the same address everywhere. A block that goes along adds 1 to it. One that is not called is not linked.
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

// f_rpc, and the thunk of calls that are not waited for, both of f's own type. BLOCK is 0 or 1.
#define SKERRY_RPC_FUNCTION(f, BLOCK)                                                                                  \
    SKERRY_EPIPHANY_BLOCK_##BLOCK __typeof__(f) f __attribute__((used));                                               \
    extern __typeof__(f) f##_rpc, skerry_keep_##f;                                                                     \
    SKERRY_EPIPHANY_THUNK(#f "_rpc", f, BLOCK, SKERRY_EPIPHANY_ENTRY_##BLOCK)                                          \
    SKERRY_EPIPHANY_THUNK("skerry_keep_" #f, f, BLOCK, "_skerry_keep_call")
#define SKERRY_EPIPHANY_ENTRY_0 "_skerry_call"
#define SKERRY_EPIPHANY_ENTRY_1 "_skerry_call_block"
#define SKERRY_EPIPHANY_BLOCK_0
// Also tells the linker script how large a place for a block is.
#define SKERRY_EPIPHANY_BLOCK_1 SKERRY_EPIPHANY_BLOCK_BYTES(SHMEMX_RPC_BLOCK_BYTES)
#define SKERRY_EPIPHANY_BLOCK_BYTES(BYTES)                                                                             \
    __asm__(".weak __skerry_rpc_block_bytes\n.set __skerry_rpc_block_bytes, " SKERRY_EPIPHANY_TEXT(BYTES));
#define SKERRY_EPIPHANY_TEXT(NUMBER) #NUMBER

#define SHMEMX_RPC_EVENTS 8

// Largest block of RPC_BLOCK. A program may define another number before it includes shmemx.h, the same in all its files.
#ifndef SHMEMX_RPC_BLOCK_BYTES
#define SHMEMX_RPC_BLOCK_BYTES 512
#endif
// How many blocks may wait for a PE or be worked on; 2 where a program does not say it, at file scope and once.
#define SHMEMX_RPC_BLOCKS(blocks) __asm__(".global __skerry_rpc_blocks\n.set __skerry_rpc_blocks, " #blocks);

// How many calls may wait for a PE, 0 to 15; 2 where a program does not say it, at file scope and once.
#define SHMEMX_RPC_DEPTH(calls) __asm__(".global __skerry_rpc_depth\n.set __skerry_rpc_depth, " #calls);

// A pointer into this core's own memory becomes a short address, which the core reaches directly; any other stays.
SKERRY_ALWAYS_INLINE void *skerry_rpc_localize(const volatile void *pointer) {
    uint32_t core;
    __asm__("movfs %0, coreid" : "=r"(core));
    uintptr_t offset = (uintptr_t)pointer - (core << SKERRY_PARTITION_SHIFT);
    return (void *)(offset <= SKERRY_PARTITION_MASK ? offset : (uintptr_t)pointer);
}

#endif
