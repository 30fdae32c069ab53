// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls on this machine, public part: what a call is, for the compiler. The rest is rpc.S.
#ifndef SKERRY_MACHINE_EPIPHANY_CALL_H
#define SKERRY_MACHINE_EPIPHANY_CALL_H

#include "machine.h"

// Emits f_rpc, of f's own type: f's address goes into ip, everything else stays where it is for f itself. All cores have
// the same program, so it is the same address everywhere.
#define RPC(f)                                                                                                         \
    __typeof__(f) f __attribute__((used));                                                                             \
    extern __typeof__(f) f##_rpc;                                                                                      \
    __asm__(".section .text." #f "_rpc,\"ax\"\n"                                                                       \
            ".balign 4\n"                                                                                              \
            ".global _" #f "_rpc\n"                                                                                    \
            ".type _" #f "_rpc, STT_FUNC\n"                                                                            \
            "_" #f "_rpc:\n"                                                                                           \
            "mov ip, %low(_" #f ")\n"                                                                                  \
            "movt ip, %high(_" #f ")\n"                                                                                \
            "b _skerry_call\n"                                                                                         \
            ".size _" #f "_rpc, . - _" #f "_rpc\n"                                                                     \
            ".text");

// How many calls may wait for a PE, 0 to 15; 2 where a program does not say it, at file scope and once.
#define SHMEMX_RPC_DEPTH(calls) __asm__(".global __skerry_rpc_depth\n.set __skerry_rpc_depth, " #calls);

// A pointer into this core's own memory becomes a short address, which the core reaches directly; any other stays.
SKERRY_HOT void *skerry_localize_near(const volatile void *pointer) {
    uint32_t core;
    __asm__("movfs %0, coreid" : "=r"(core));
    uintptr_t offset = (uintptr_t)pointer - (core << SKERRY_PARTITION_SHIFT);
    return (void *)(offset <= SKERRY_PARTITION_MASK ? offset : (uintptr_t)pointer);
}
#define shmemx_localize(pointer) ((__typeof__(pointer))skerry_localize_near(pointer))
#ifndef SHMEMX_NO_SHORT_NAMES
#define localize(pointer) shmemx_localize(pointer)
#endif

#endif
