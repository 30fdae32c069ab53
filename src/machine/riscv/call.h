// SPDX-License-Identifier: BSD-3-Clause
// Defines this machine's part of remote procedure calls (contract/call.h), for the calling convention ilp32d of RISC-V.
// Registers a0 to a7 contain arguments that are integers or pointers, and fa0 to fa7 floating-point arguments.
// Registers a0, a1, fa0 and fa1 contain the result.
#ifndef SKERRY_MACHINE_RISCV_CALL_H
#define SKERRY_MACHINE_RISCV_CALL_H

#include "interrupt.h"
#include "machine.h"
#include "thunk.h"

#define SKERRY_CALL_RINGS 1
#define SKERRY_CALL_ASSEMBLY 0
#define SKERRY_CALL_NOTE(FUNCTION, KIND, BYTES) ((void)0)
#define SKERRY_CALL_INTEGERS 8
#define SKERRY_CALL_REALS 8
#define SKERRY_CALL_STRUCT_BYTES 8                                         // larger ones are passed by a pointer
#define SKERRY_CALL_STACKED(KIND, BYTES) ((KIND) == SKERRY_CALL_LONG_REAL) // long double too

struct skerry_arguments {
    uint32_t integers[8] __attribute__((aligned(8)));
    double reals[8];
};
struct skerry_results {
    uint32_t integers[2] __attribute__((aligned(8)));
    double reals[2];
};

#define SKERRY_SYMBOL(name) __asm__(name)
#define SKERRY_CALL_NAME(name, function) __asm__(".set " name ", %0" : : "S"(function))
#define SKERRY_NEEDS_SYMBOL(name) __asm__ volatile(".reloc ., R_RISCV_NONE, " name)
#define SKERRY_IF_LINKED __attribute__((weak))
#define SKERRY_LINKER_NUMBER(name, value) __asm__(".global " #name "\n.set " #name ", " #value);
#define SKERRY_LINKER_DEFAULT(name, value) SKERRY_LINKER_DEFAULT_(name, value)
#define SKERRY_LINKER_DEFAULT_(name, value) __asm__(".weak " #name "\n.set " #name ", " #value);

// Returns the short address (the offset in this core's memory, ../chip/layout.h) of a pointer into this core's own
// memory. Returns any other pointer unchanged.
SKERRY_ALWAYS_INLINE void *skerry_own_address(const volatile void *pointer) {
    uintptr_t offset = (uintptr_t)pointer - skerry_partitions[skerry_facts.my_pe];
    return (void *)(offset <= SKERRY_PARTITION_MASK ? offset : (uintptr_t)pointer);
}

void skerry_apply_arguments(uintptr_t code, const struct skerry_arguments *arguments, struct skerry_results *results);
void skerry_call_result(const struct skerry_results *results, int kind, void *value, size_t bytes);
void skerry_after_handlers(void (*function)(void));

#ifdef SKERRY_BUILD

#define SKERRY_RISCV_ENTRY_BEGINS(NAME)                                                                                \
    ".pushsection .text." NAME ",\"ax\",@progbits\n"                                                                   \
    ".balign 4\n"                                                                                                      \
    ".global " NAME "\n"                                                                                               \
    ".type " NAME ", @function\n" NAME ":\n"
#define SKERRY_RISCV_ENTRY_ENDS(NAME)                                                                                  \
    ".size " NAME ", . - " NAME "\n"                                                                                   \
    ".popsection"

// Stores the argument registers at sp, as a struct skerry_arguments, and the function's address behind them, so that both
// are a struct skerry_kept_call. Reserves memory for a struct skerry_results above, and stores ra above the results. Each
// line of the loop stores the registers with number i.
#define SKERRY_RISCV_KEEP_ARGUMENTS                                                                                    \
    "addi sp, sp, -144\n"                                                                                              \
    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\n"                                                                                 \
    "sw a\\i, 4*\\i(sp)\n"                                                                                             \
    "fsd fa\\i, 32+8*\\i(sp)\n"                                                                                        \
    ".endr\n"                                                                                                          \
    "sw t0, 96(sp)\n"                                                                                                  \
    "sw ra, 136(sp)\n"                                                                                                 \
    "mv a0, t0\n"                                                                                                      \
    "mv a1, sp\n"                                                                                                      \
    "addi a2, sp, 104\n"

#define SKERRY_RISCV_CALL(CALL)                                                                                        \
    SKERRY_RISCV_KEEP_ARGUMENTS                                                                                        \
    "call " CALL "\n"                                                                                                  \
    "lw ra, 136(sp)\n"                                                                                                 \
    "lw a0, 104(sp)\n"                                                                                                 \
    "lw a1, 108(sp)\n"                                                                                                 \
    "fld fa0, 112(sp)\n"                                                                                               \
    "fld fa1, 120(sp)\n"                                                                                               \
    "addi sp, sp, 144\n"                                                                                               \
    "ret\n"

#define SKERRY_RUN_ENTRY(NAME, CALL)                                                                                   \
    __asm__(SKERRY_RISCV_ENTRY_BEGINS(NAME) SKERRY_RISCV_CALL(CALL) SKERRY_RISCV_ENTRY_ENDS(NAME));

// Defines an entry: the code to which a thunk jumps. The entry makes two tests of the first argument:
// * Is it an address in this core's own memory? The upper 12 bits of such an address are 0 (a short address), or the
//   number of this core.
// * Is it an address of external memory?
#define SKERRY_CALL_ENTRY(NAME, CALL)                                                                                  \
    __asm__(SKERRY_RISCV_ENTRY_BEGINS(NAME) "la t1, skerry_facts\n"                                                    \
                                            "lw t1, 0(t1)\n"                                                           \
                                            "la t2, skerry_partitions\n"                                               \
                                            "slli t1, t1, 2\n"                                                         \
                                            "add t2, t2, t1\n"                                                         \
                                            "lw t2, 0(t2)\n"                                                           \
                                            "srli t1, a0, 20\n"                                                        \
                                            "beqz t1, 1f\n"                                                            \
                                            "xor t2, t2, a0\n"                                                         \
                                            "srli t2, t2, 20\n"                                                        \
                                            "beqz t2, 1f\n"                                                            \
                                            "lui t1, %hi(__skerry_external)\n"                                         \
                                            "addi t1, t1, %lo(__skerry_external)\n"                                    \
                                            "sub t1, a0, t1\n"                                                         \
                                            "lui t2, %hi(__skerry_external_bytes)\n"                                   \
                                            "addi t2, t2, %lo(__skerry_external_bytes)\n"                              \
                                            "bltu t1, t2, 1f\n" SKERRY_RISCV_CALL(                                     \
                                                CALL) "1: jr t0\n" SKERRY_RISCV_ENTRY_ENDS(NAME));

#define SKERRY_KEEP_ENTRY(NAME, KEEP)                                                                                  \
    __asm__(SKERRY_RISCV_ENTRY_BEGINS(NAME) SKERRY_RISCV_KEEP_ARGUMENTS "call " KEEP "\n"                              \
                                                                        "lw ra, 136(sp)\n"                             \
                                                                        "addi sp, sp, 144\n"                           \
                                                                        "ret\n" SKERRY_RISCV_ENTRY_ENDS(NAME));
#endif

#endif
