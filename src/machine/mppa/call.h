// SPDX-License-Identifier: BSD-3-Clause
// Defines this machine's part of remote procedure calls (contract/call.h), for the calling convention ilp32d of RISC-V.
// Registers a0 to a7 contain arguments that are integers or pointers, and fa0 to fa7 floating-point arguments.
// Registers a0, a1, fa0 and fa1 contain the result.
#ifndef SKERRY_MACHINE_MPPA_CALL_H
#define SKERRY_MACHINE_MPPA_CALL_H

#include "../riscv/thunk.h"
#include "machine.h"

#define SKERRY_CALL_RINGS 0
#define SKERRY_CALL_NOTE(FUNCTION, KIND, BYTES) ((void)0)
#define SKERRY_CALL_INTEGERS 8
#define SKERRY_CALL_REALS 8
#define SKERRY_CALL_STRUCT_BYTES 8                                         // larger ones are passed by a pointer
#define SKERRY_CALL_STACKED(KIND, BYTES) ((KIND) == SKERRY_CALL_LONG_REAL) // long double is passed by a pointer too
#define SHMEMX_RPC_EVENTS 64
#define SHMEMX_RPC_BLOCK_BYTES 512
#define SKERRY_RPC_DEPTH_MAX 32
#define SKERRY_RPC_DEPTH_DEFAULT 32

// Contents of the registers that hold arguments.
struct skerry_vectors {
    uint64_t low[8];  // floating-point registers
    uint64_t high[8]; // not used; always 0
};
struct skerry_arguments {
    uint32_t integers[SKERRY_CALL_INTEGERS] __attribute__((aligned(8)));
    struct skerry_vectors vectors;
};

struct skerry_results {
    uint32_t integers[2] __attribute__((aligned(8)));
    uint64_t vectors[2];
    uint32_t stacked; // always 0
    uint32_t reserved;
    // These two words belong to src/rpc/queue, which stores both after the results.
    uint32_t number __attribute__((aligned(8)));
    uint32_t note;
    uint64_t stack[1]; // not used
};

enum { SKERRY_CALL_LOW = 1, SKERRY_CALL_HIGH = 2 }; // flags: halves of the vector arguments that were sent

#define SKERRY_SYMBOL(NAME) __asm__(NAME)

SKERRY_ALWAYS_INLINE void *skerry_own_address(const volatile void *pointer) {
    const bool is_own = skerry_global(pointer, skerry_my_pe()) == pointer;
    return is_own ? skerry_localize(pointer) : (void *)(uintptr_t)pointer;
}

#ifdef SKERRY_BUILD

#define SKERRY_MPPA_ENTRY_BEGINS(NAME)                                                                                 \
    ".pushsection .text." NAME ",\"ax\",@progbits\n"                                                                   \
    ".balign 4\n"                                                                                                      \
    ".global " NAME "\n"                                                                                               \
    ".type " NAME ", @function\n" NAME ":\n"
#define SKERRY_MPPA_ENTRY_ENDS(NAME)                                                                                   \
    ".size " NAME ", . - " NAME "\n"                                                                                   \
    ".popsection"

// Stores the argument registers at sp, as a struct skerry_arguments (160 bytes). Above it is room for a struct
// skerry_results, at 160, and at 216 the registers t0 and ra. Passes the function's object, the arguments and the results
// to a function of C.
#define SKERRY_MPPA_KEEP_ARGUMENTS                                                                                     \
    "addi sp, sp, -224\n"                                                                                              \
    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\n"                                                                                 \
    "sw a\\i, 4*\\i(sp)\n"                                                                                             \
    "fsd fa\\i, 32+8*\\i(sp)\n"                                                                                        \
    "sw zero, 96+8*\\i(sp)\n"                                                                                          \
    "sw zero, 100+8*\\i(sp)\n"                                                                                         \
    ".endr\n"                                                                                                          \
    "sw ra, 220(sp)\n"                                                                                                 \
    "mv a0, t0\n"                                                                                                      \
    "mv a1, sp\n"                                                                                                      \
    "addi a2, sp, 160\n"

#define SKERRY_MPPA_CALL(CALL)                                                                                         \
    SKERRY_MPPA_KEEP_ARGUMENTS                                                                                         \
    "call " CALL "\n"                                                                                                  \
    "lw ra, 220(sp)\n"                                                                                                 \
    "lw a0, 160(sp)\n"                                                                                                 \
    "lw a1, 164(sp)\n"                                                                                                 \
    "fld fa0, 168(sp)\n"                                                                                               \
    "fld fa1, 176(sp)\n"                                                                                               \
    "addi sp, sp, 224\n"                                                                                               \
    "ret\n"

// The address is global if its upper bits, from SKERRY_MPPA_PARTITION_SHIFT on, are 1024 plus the number of a PE.
#define SKERRY_CALL_ENTRY(NAME, CALL)                                                                                  \
    __asm__(SKERRY_MPPA_ENTRY_BEGINS(NAME) "srli t1, a0, 21\n"                                                         \
                                           "addi t1, t1, -1024\n"                                                      \
                                           "li t2, 18\n"                                                               \
                                           "bgeu t1, t2, 1f\n"                                                         \
                                           "la t2, skerry_facts\n"                                                     \
                                           "lw t2, 0(t2)\n"                                                            \
                                           "beq t1, t2, 1f\n" SKERRY_MPPA_CALL(CALL) "1: lw t0, 0(t0)\n"               \
                                                                                     "jr t0\n" SKERRY_MPPA_ENTRY_ENDS( \
                                                                                         NAME));
_Static_assert(SKERRY_MPPA_GLOBAL >> SKERRY_MPPA_PARTITION_SHIFT == 1024 && SKERRY_MPPA_PARTITION_SHIFT == 21 &&
                   SKERRY_PES_MAX == 18 && offsetof(struct skerry_facts, my_pe) == 0,
               "the entry has these numbers");
_Static_assert(sizeof(struct skerry_arguments) == 160 && sizeof(struct skerry_results) <= 56 &&
                   offsetof(struct skerry_results, vectors) == 8,
               "the entry has these numbers");

#define SKERRY_CHECKED_ENTRY(NAME, CHECK, CALL_ENTRY)                                                                  \
    __asm__(SKERRY_MPPA_ENTRY_BEGINS(NAME) "tail " CALL_ENTRY                                                          \
                                           "\n" SKERRY_MPPA_ENTRY_ENDS(NAME)) // SKERRY_CAN_CHECK is 0

#define SKERRY_KEEP_ENTRY(NAME, KEEP)                                                                                  \
    __asm__(SKERRY_MPPA_ENTRY_BEGINS(NAME) SKERRY_MPPA_KEEP_ARGUMENTS "call " KEEP "\n"                                \
                                                                      "lw ra, 220(sp)\n"                               \
                                                                      "addi sp, sp, 224\n"                             \
                                                                      "ret\n" SKERRY_MPPA_ENTRY_ENDS(NAME));
#endif

#endif
