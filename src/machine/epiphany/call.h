// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls on this machine, the part that is compiled into programs: macros that make the routine f_rpc
// for a function f. rpc.S has the protocol.
#ifndef SKERRY_MACHINE_EPIPHANY_CALL_H
#define SKERRY_MACHINE_EPIPHANY_CALL_H

#include "machine.h"
#if defined(SKERRY_BUILD) || defined(SKERRY_HEADER_ONLY)
#include "rpc.h"
#endif

#define SKERRY_CALLS_BY_MACHINE 1 // this machine sends calls itself, so src/rpc/direct.c is compiled

// The kinds of results that the portable code (src/rpc) distinguishes. On this machine a function of any kind returns
// its result in r0 and r1.
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

// Defines a thunk with the name NAME: three instructions that load f's address into register ip and jump to ENTRY. The
// arguments stay in the registers in which f expects them. All cores run the same program, so f has the same address on
// every core. BLOCK is added to the address: 1 if a block of data is sent with the call, else 0. The linker leaves out
// a thunk that is never called.
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

// Defines two thunks with the type of f: f_rpc, which calls f on another PE and waits, and skerry_keep_f, which only
// keeps the call for a routine that does not wait (rpc_keep.S). BLOCK is 1 if f's calls send a block of data, else 0.
#define SKERRY_RPC_FUNCTION(f, BLOCK)                                                                                  \
    SKERRY_EPIPHANY_BLOCK_##BLOCK __typeof__(f) f __attribute__((used));                                               \
    extern __typeof__(f) f##_rpc, skerry_keep_##f;                                                                     \
    SKERRY_EPIPHANY_THUNK(#f "_rpc", f, BLOCK, SKERRY_EPIPHANY_ENTRY_##BLOCK)                                          \
    SKERRY_EPIPHANY_THUNK("skerry_keep_" #f, f, BLOCK, "_skerry_keep_call")
#define SKERRY_EPIPHANY_ENTRY_0 "_skerry_call"
#define SKERRY_EPIPHANY_ENTRY_1 "_skerry_call_block"
#define SKERRY_EPIPHANY_BLOCK_0
// Tells the linker script the size of the largest block, so that the script can reserve memory for blocks.
#define SKERRY_EPIPHANY_BLOCK_1 SKERRY_EPIPHANY_BLOCK_BYTES(SHMEMX_RPC_BLOCK_BYTES)
#define SKERRY_EPIPHANY_BLOCK_BYTES(BYTES)                                                                             \
    __asm__(".weak __skerry_rpc_block_bytes\n.set __skerry_rpc_block_bytes, " SKERRY_EPIPHANY_TEXT(BYTES));
#define SKERRY_EPIPHANY_TEXT(NUMBER) #NUMBER

#define SHMEMX_RPC_EVENTS 8

// Size in bytes of the largest block that RPC_BLOCK sends. A program may define another number before it includes
// shmemx.h. The number must be the same in all files of the program.
#ifndef SHMEMX_RPC_BLOCK_BYTES
#define SHMEMX_RPC_BLOCK_BYTES 512
#endif
// Sets the number of blocks that each PE can hold: blocks whose calls wait, and blocks that a running function uses. A
// program that wants another number than 2 uses this macro in one place, at file scope.
#define SHMEMX_RPC_BLOCKS(blocks) __asm__(".global __skerry_rpc_blocks\n.set __skerry_rpc_blocks, " #blocks);

// Sets the number of calls that can wait for each PE, 0 to 15. A program that wants another number than 2 uses this
// macro in one place, at file scope.
#define SHMEMX_RPC_DEPTH(calls) __asm__(".global __skerry_rpc_depth\n.set __skerry_rpc_depth, " #calls);

// Returns the short address (layout.h) of a pointer into this core's own memory. This core accesses a short address
// without the network. Returns any other pointer unchanged.
SKERRY_ALWAYS_INLINE void *skerry_rpc_localize(const volatile void *pointer) {
    uint32_t core;
    __asm__("movfs %0, coreid" : "=r"(core));
    uintptr_t offset = (uintptr_t)pointer - (core << SKERRY_PARTITION_SHIFT);
    return (void *)(offset <= SKERRY_PARTITION_MASK ? offset : (uintptr_t)pointer);
}

#endif
