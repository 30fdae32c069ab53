// SPDX-License-Identifier: BSD-3-Clause
// Defines the macros for entries: functions of the library, in assembly, to which thunks jump. A thunk is the code that
// the program calls in place of a remote function. contract/call.h says what each entry does.
//
// The stack frame of an entry has, from the stack pointer up:
//     a frame record              16 bytes
//     struct skerry_arguments    192 bytes: 8 integers, 8 lower halves and 8 upper halves of vector registers
//     struct skerry_results      128 bytes
#ifndef SKERRY_MACHINE_LINUX_ARCH_AARCH64_ENTRY_H
#define SKERRY_MACHINE_LINUX_ARCH_AARCH64_ENTRY_H

#include <stddef.h>

#include "../../call.h"
#include "../../machine.h"

_Static_assert(sizeof(struct skerry_arguments) == 192 && offsetof(struct skerry_arguments, vectors.low) == 64 &&
                   offsetof(struct skerry_arguments, vectors.high) == 128,
               "the code below has these numbers");
_Static_assert(sizeof(struct skerry_results) == 128 && offsetof(struct skerry_results, vectors) == 16 &&
                   offsetof(struct skerry_results, stacked) == 80,
               "the code below has these numbers");
_Static_assert(offsetof(struct skerry_facts, my_pe) == 0 && offsetof(struct skerry_facts, pe_count) == 4,
               "the code below has these numbers");
_Static_assert(SKERRY_BASE >> SKERRY_PARTITION_SHIFT == 1024, "the code below has this number");

// clang-format off
#define SKERRY_NUMBER_(x) #x
#define SKERRY_NUMBER(x) SKERRY_NUMBER_(x)

// Stores both halves of vector register N in the frame, at the offsets LOW and HIGH. The upper half passes through x9.
#define SKERRY_SAVE_HALVES(N, LOW, HIGH) "\tstr d" #N ", [sp, #" #LOW "]\n\tmov x9, v" #N ".d[1]\n\tstr x9, [sp, #" #HIGH "]\n"

// Saves all registers that can hold arguments and calls HANDLER(function, arguments, results).
#define SKERRY_SAVE_AND_CALL(HANDLER)                                                                                  \
    "\tstp x29, x30, [sp, #-336]!\n\t.cfi_def_cfa_offset 336\n\t.cfi_offset 29, -336\n\t.cfi_offset 30, -328\n"        \
    "\tmov x29, sp\n"                                                                                                  \
    "\tstp x0, x1, [sp, #16]\n\tstp x2, x3, [sp, #32]\n\tstp x4, x5, [sp, #48]\n\tstp x6, x7, [sp, #64]\n"             \
    SKERRY_SAVE_HALVES(0, 80, 144) SKERRY_SAVE_HALVES(1, 88, 152) SKERRY_SAVE_HALVES(2, 96, 160) SKERRY_SAVE_HALVES(3, 104, 168) \
    SKERRY_SAVE_HALVES(4, 112, 176) SKERRY_SAVE_HALVES(5, 120, 184) SKERRY_SAVE_HALVES(6, 128, 192) SKERRY_SAVE_HALVES(7, 136, 200) \
    "\tmov x0, x16\n\tadd x1, sp, #16\n\tadd x2, sp, #208\n\tbl " HANDLER "\n"

#define SKERRY_LEAVE "\tldp x29, x30, [sp], #336\n\t.cfi_def_cfa_offset 0\n\t.cfi_restore 29\n\t.cfi_restore 30\n\tret\n"

#define SKERRY_ENTRY(NAME, BODY)                                                                                       \
    __asm__(".pushsection .text\n.globl " NAME "\n.type " NAME ", %function\n.p2align 4\n" NAME ":\n.cfi_startproc\n"  \
            "\thint #36\n" BODY ".cfi_endproc\n.size " NAME ", . - " NAME "\n.popsection\n")

#define SKERRY_LOAD_HALVES(N, LOW, HIGH) "\tldr d" #N ", [sp, #" #LOW "]\n\tldr x9, [sp, #" #HIGH "]\n\tmov v" #N ".d[1], x9\n"

// Defines an entry. The upper bits of the first argument can name a PE. If they name another PE of the job, the entry
// saves the arguments, calls CALL, and returns the results of CALL. If not, the entry jumps to the function.
#define SKERRY_CALL_ENTRY(NAME, CALL)                                                                                  \
    SKERRY_ENTRY(NAME,                                                                                                 \
          ".L" NAME ":\n"                                                                                              \
          "\tlsr x9, x0, #" SKERRY_NUMBER(SKERRY_PARTITION_SHIFT) "\n\tsub x9, x9, #1024\n"                            \
          "\tadrp x10, :got:skerry_facts\n\tldr x10, [x10, :got_lo12:skerry_facts]\n"                                  \
          "\tldp w11, w12, [x10]\n\tcmp x9, x11\n\tb.eq 1f\n\tcmp x9, x12\n\tb.lo 2f\n"                                \
          "1:\n\tldr x16, [x16]\n\tbr x16\n"                                                                           \
          "2:\n" SKERRY_SAVE_AND_CALL(CALL)                                                                            \
          "\tldp x0, x1, [sp, #208]\n\tldp q0, q1, [sp, #224]\n\tldp q2, q3, [sp, #256]\n" SKERRY_LEAVE)

// Defines an entry that calls CHECK, loads every argument back into its register, and jumps to CALL_ENTRY. Also saves
// x8, which holds the address of a large result.
#define SKERRY_CHECKED_ENTRY(NAME, CHECK, CALL_ENTRY)                                                                  \
    SKERRY_ENTRY(NAME,                                                                                                 \
          "\tstp x8, x30, [sp, #-16]!\n"                                                                               \
          SKERRY_SAVE_AND_CALL(CHECK) "\tmov x16, x0\n"                                                                \
          SKERRY_LOAD_HALVES(0, 80, 144) SKERRY_LOAD_HALVES(1, 88, 152) SKERRY_LOAD_HALVES(2, 96, 160) SKERRY_LOAD_HALVES(3, 104, 168) \
          SKERRY_LOAD_HALVES(4, 112, 176) SKERRY_LOAD_HALVES(5, 120, 184) SKERRY_LOAD_HALVES(6, 128, 192) SKERRY_LOAD_HALVES(7, 136, 200) \
          "\tldp x0, x1, [sp, #16]\n\tldp x2, x3, [sp, #32]\n\tldp x4, x5, [sp, #48]\n\tldp x6, x7, [sp, #64]\n"       \
          "\tldp x29, x30, [sp], #336\n\tldp x8, x30, [sp], #16\n"                                                     \
          "\t.cfi_def_cfa_offset 0\n\t.cfi_restore 29\n\t.cfi_restore 30\n\tb .L" CALL_ENTRY "\n")

#define SKERRY_KEEP_ENTRY(NAME, KEEP)                                                                                  \
    SKERRY_ENTRY(NAME,                                                                                                 \
          SKERRY_SAVE_AND_CALL(KEEP) SKERRY_LEAVE)
// clang-format on

#endif
