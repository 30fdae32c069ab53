// SPDX-License-Identifier: BSD-3-Clause
// Defines the macros for entries: functions of the library, in assembly, to which thunks jump. A thunk is the code that
// the program calls in place of a remote function. contract/call.h says what each entry does.
//
// The stack frame of an entry has, from the stack pointer up:
//     struct skerry_arguments   176 bytes: 6 integers, 8 lower halves and 8 upper halves of vector registers
//     struct skerry_results      96 bytes, aligned to 16
// When a function begins, rsp is 8 more than a multiple of 16.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_ENTRY_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_ENTRY_H

#include <stddef.h>

#include "../../call.h"
#include "../../machine.h"

_Static_assert(sizeof(struct skerry_arguments) == 176 && offsetof(struct skerry_arguments, vectors.low) == 48 &&
                   offsetof(struct skerry_arguments, vectors.high) == 112,
               "the code below has these numbers");
_Static_assert(sizeof(struct skerry_results) == 96 && offsetof(struct skerry_results, vectors) == 16 &&
                   offsetof(struct skerry_results, stacked) == 48 && offsetof(struct skerry_results, stack) == 64,
               "the code below has these numbers");
_Static_assert(offsetof(struct skerry_facts, my_pe) == 0 && offsetof(struct skerry_facts, pe_count) == 4,
               "the code below has these numbers");

// An address shifted right by SKERRY_PARTITION_SHIFT, minus this number, is the rank of the PE whose partition (part of
// the address space) contains the address. The assembly below computes ranks in this way.
#ifdef SKERRY_LOW_LAYOUT
#define SKERRY_FIRST_PARTITION 64
#else
#define SKERRY_FIRST_PARTITION 1024
#endif
_Static_assert(SKERRY_BASE >> SKERRY_PARTITION_SHIFT == SKERRY_FIRST_PARTITION, "the code below has this number");

// clang-format off
#define SKERRY_NUMBER_(x) #x
#define SKERRY_NUMBER(x) SKERRY_NUMBER_(x)

// Saves all registers that can hold arguments and calls HANDLER(function, arguments, results). The frame has 176 + 96
// bytes, and 8 bytes that align it.
#define SKERRY_SAVE_AND_CALL(HANDLER)                                                                                  \
    "\tsubq $280, %rsp\n\t.cfi_adjust_cfa_offset 280\n"                                                                \
    "\tmovq %rdi, (%rsp)\n\tmovq %rsi, 8(%rsp)\n\tmovq %rdx, 16(%rsp)\n\tmovq %rcx, 24(%rsp)\n"                        \
    "\tmovq %r8, 32(%rsp)\n\tmovq %r9, 40(%rsp)\n"                                                                     \
    "\tmovlps %xmm0, 48(%rsp)\n\tmovlps %xmm1, 56(%rsp)\n\tmovlps %xmm2, 64(%rsp)\n\tmovlps %xmm3, 72(%rsp)\n"         \
    "\tmovlps %xmm4, 80(%rsp)\n\tmovlps %xmm5, 88(%rsp)\n\tmovlps %xmm6, 96(%rsp)\n\tmovlps %xmm7, 104(%rsp)\n"        \
    "\tmovhps %xmm0, 112(%rsp)\n\tmovhps %xmm1, 120(%rsp)\n\tmovhps %xmm2, 128(%rsp)\n\tmovhps %xmm3, 136(%rsp)\n"     \
    "\tmovhps %xmm4, 144(%rsp)\n\tmovhps %xmm5, 152(%rsp)\n\tmovhps %xmm6, 160(%rsp)\n\tmovhps %xmm7, 168(%rsp)\n"     \
    "\tmovq %r11, %rdi\n\tmovq %rsp, %rsi\n\tleaq 176(%rsp), %rdx\n\tcall " HANDLER "\n"

// Defines an entry: a function of the library to which thunks (the program's stand-ins for remote functions) jump.
#define SKERRY_ENTRY(NAME, BODY)                                                                                       \
    __asm__(".pushsection .text\n.globl " NAME "\n.type " NAME ", @function\n.p2align 4\n" NAME ":\n.cfi_startproc\n"  \
            "\tendbr64\n" BODY ".cfi_endproc\n.size " NAME ", . - " NAME "\n.popsection\n")

// Defines an entry. The upper bits of the first argument can name a PE. If they name another PE of the job, the entry
// saves the arguments, calls CALL, and returns the results of CALL. If not, the entry jumps to the function.
#define SKERRY_CALL_ENTRY(NAME, CALL)                                                                                  \
    SKERRY_ENTRY(NAME,                                                                                                 \
          ".L" NAME ":\n"                                                                                              \
          "\tmovq %rdi, %rax\n\tshrq $" SKERRY_NUMBER(SKERRY_PARTITION_SHIFT) ", %rax\n"                               \
          "\tsubq $" SKERRY_NUMBER(SKERRY_FIRST_PARTITION) ", %rax\n"                                                  \
          "\tmovq skerry_facts@GOTPCREL(%rip), %r10\n"                                                                 \
          "\tcmpl (%r10), %eax\n\tje 1f\n"                                                                             \
          "\tmovl 4(%r10), %r10d\n\tcmpq %r10, %rax\n\tjb 2f\n"                                                        \
          "1:\n\tjmp *(%r11)\n"                                                                                        \
          "2:\n" SKERRY_SAVE_AND_CALL(CALL)                                                                            \
          "\tcmpl $0, 224(%rsp)\n\tjne 3f\n"                                                                           \
          "4:\n\tmovq 176(%rsp), %rax\n\tmovq 184(%rsp), %rdx\n\tmovups 192(%rsp), %xmm0\n\tmovups 208(%rsp), %xmm1\n" \
          "\taddq $280, %rsp\n\t.cfi_adjust_cfa_offset -280\n\tret\n"                                                  \
          "\t.cfi_adjust_cfa_offset 280\n"                                                                             \
          "3:\n\tcmpl $1, 224(%rsp)\n\tje 5f\n\tfldt 256(%rsp)\n"                                                      \
          "5:\n\tfldt 240(%rsp)\n\tjmp 4b\n")

// Defines an entry that calls CHECK, loads every argument back into its register, and jumps to CALL_ENTRY.
#define SKERRY_CHECKED_ENTRY(NAME, CHECK, CALL_ENTRY)                                                                  \
    SKERRY_ENTRY(NAME,                                                                                                 \
          SKERRY_SAVE_AND_CALL(CHECK) "\tmovq %rax, %r11\n"                                                            \
          "\tmovq (%rsp), %rdi\n\tmovq 8(%rsp), %rsi\n\tmovq 16(%rsp), %rdx\n\tmovq 24(%rsp), %rcx\n"                  \
          "\tmovq 32(%rsp), %r8\n\tmovq 40(%rsp), %r9\n"                                                               \
          "\tmovlps 48(%rsp), %xmm0\n\tmovlps 56(%rsp), %xmm1\n\tmovlps 64(%rsp), %xmm2\n\tmovlps 72(%rsp), %xmm3\n"   \
          "\tmovlps 80(%rsp), %xmm4\n\tmovlps 88(%rsp), %xmm5\n\tmovlps 96(%rsp), %xmm6\n\tmovlps 104(%rsp), %xmm7\n"  \
          "\tmovhps 112(%rsp), %xmm0\n\tmovhps 120(%rsp), %xmm1\n\tmovhps 128(%rsp), %xmm2\n\tmovhps 136(%rsp), %xmm3\n" \
          "\tmovhps 144(%rsp), %xmm4\n\tmovhps 152(%rsp), %xmm5\n\tmovhps 160(%rsp), %xmm6\n\tmovhps 168(%rsp), %xmm7\n" \
          "\taddq $280, %rsp\n\t.cfi_adjust_cfa_offset -280\n\tjmp .L" CALL_ENTRY "\n")

// Defines an entry that calls KEEP, which saves the call for later. The program ignores the entry's result. If the
// function's type says that results are on the x87 stack, the program pops them from that stack. So the entry pushes
// zeros in place of the results. KEEP returns how many zeros are needed.
#define SKERRY_KEEP_ENTRY(NAME, KEEP)                                                                                  \
    SKERRY_ENTRY(NAME,                                                                                                 \
          SKERRY_SAVE_AND_CALL(KEEP)                                                                                   \
          "\ttestl %eax, %eax\n\tje 1f\n\tfldz\n\tcmpl $1, %eax\n\tje 1f\n\tfldz\n1:\n"                                \
          "\taddq $280, %rsp\n\t.cfi_adjust_cfa_offset -280\n\tret\n")
// clang-format on

#endif
