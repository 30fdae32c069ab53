// SPDX-License-Identifier: BSD-3-Clause
// Assembly code of remote calls. The entries are library functions to which thunks jump (a thunk is the code that the
// program calls in place of a remote function). skerry_apply makes the call in the PE that was asked. The stack frame
// of an entry has, from the stack pointer up: struct skerry_arguments (6 integers, 8 low and 8 high halves: 176 bytes)
// and struct skerry_results (96 bytes, aligned to 16). When a function begins, rsp is 8 more than a multiple of 16.
#include <stddef.h>
#include <string.h>

#include "../../pe/internal.h"
#include "../../call.h"

_Static_assert(sizeof(struct skerry_arguments) == 176 && offsetof(struct skerry_arguments, vectors.low) == 48 &&
                   offsetof(struct skerry_arguments, vectors.high) == 112,
               "the code below has these numbers");
_Static_assert(sizeof(struct skerry_results) == 96 && offsetof(struct skerry_results, vectors) == 16 &&
                   offsetof(struct skerry_results, stacked) == 48 && offsetof(struct skerry_results, stack) == 64,
               "the code below has these numbers");
_Static_assert(offsetof(struct skerry_function, code) == 0, "the code below has this number");
_Static_assert(offsetof(struct skerry_facts, my_pe) == 0 && offsetof(struct skerry_facts, pe_count) == 4,
               "the code below has these numbers");

// Number that partition 0 of a job has if all partitions of the address space are counted from address 0.
#ifdef SKERRY_LOW_LAYOUT
#define FIRST_PARTITION 64
#else
#define FIRST_PARTITION 1024
#endif
_Static_assert(SKERRY_BASE >> SKERRY_PARTITION_SHIFT == FIRST_PARTITION, "the code below has this number");

#define NUMBER_(x) #x
#define NUMBER(x) NUMBER_(x)

// clang-format off
// Saves all registers that may hold arguments and calls HANDLER(function, arguments, results). The frame has 176 + 96
// bytes, and 8 bytes that align it.
#define SAVE_AND_CALL(HANDLER)                                                                                         \
    "\tsubq $280, %rsp\n\t.cfi_adjust_cfa_offset 280\n"                                                                \
    "\tmovq %rdi, (%rsp)\n\tmovq %rsi, 8(%rsp)\n\tmovq %rdx, 16(%rsp)\n\tmovq %rcx, 24(%rsp)\n"                        \
    "\tmovq %r8, 32(%rsp)\n\tmovq %r9, 40(%rsp)\n"                                                                     \
    "\tmovlps %xmm0, 48(%rsp)\n\tmovlps %xmm1, 56(%rsp)\n\tmovlps %xmm2, 64(%rsp)\n\tmovlps %xmm3, 72(%rsp)\n"         \
    "\tmovlps %xmm4, 80(%rsp)\n\tmovlps %xmm5, 88(%rsp)\n\tmovlps %xmm6, 96(%rsp)\n\tmovlps %xmm7, 104(%rsp)\n"        \
    "\tmovhps %xmm0, 112(%rsp)\n\tmovhps %xmm1, 120(%rsp)\n\tmovhps %xmm2, 128(%rsp)\n\tmovhps %xmm3, 136(%rsp)\n"     \
    "\tmovhps %xmm4, 144(%rsp)\n\tmovhps %xmm5, 152(%rsp)\n\tmovhps %xmm6, 160(%rsp)\n\tmovhps %xmm7, 168(%rsp)\n"     \
    "\tmovq %r11, %rdi\n\tmovq %rsp, %rsi\n\tleaq 176(%rsp), %rdx\n\tcall " HANDLER "\n"

// Defines a function of the library that thunks jump to.
#define ENTRY(NAME, BODY)                                                                                              \
    __asm__(".pushsection .text\n.globl " NAME "\n.type " NAME ", @function\n.p2align 4\n" NAME ":\n.cfi_startproc\n"   \
            "\tendbr64\n" BODY ".cfi_endproc\n.size " NAME ", . - " NAME "\n.popsection\n")

// Makes a call. The upper bits of the first argument name a PE. If they name another PE of the job, skerry_rpc_call has
// that PE run the function. If they name this PE or no PE, the entry jumps to the function itself.
ENTRY("skerry_rpc_call_entry",
      ".Lskerry_rpc_call:\n"
      "\tmovq %rdi, %rax\n\tshrq $" NUMBER(SKERRY_PARTITION_SHIFT) ", %rax\n"
      "\tsubq $" NUMBER(FIRST_PARTITION) ", %rax\n"
      "\tmovq skerry_facts@GOTPCREL(%rip), %r10\n"
      "\tcmpl (%r10), %eax\n\tje 1f\n"
      "\tmovl 4(%r10), %r10d\n\tcmpq %r10, %rax\n\tjb 2f\n"
      "1:\n\tjmp *(%r11)\n"
      "2:\n" SAVE_AND_CALL("skerry_rpc_call")
      "\tcmpl $0, 224(%rsp)\n\tjne 3f\n"
      "4:\n\tmovq 176(%rsp), %rax\n\tmovq 184(%rsp), %rdx\n\tmovups 192(%rsp), %xmm0\n\tmovups 208(%rsp), %xmm1\n"
      "\taddq $280, %rsp\n\t.cfi_adjust_cfa_offset -280\n\tret\n"
      "\t.cfi_adjust_cfa_offset 280\n"
      "3:\n\tcmpl $1, 224(%rsp)\n\tje 5f\n\tfldt 256(%rsp)\n"
      "5:\n\tfldt 240(%rsp)\n\tjmp 4b\n");

// Does what skerry_rpc_call_entry does, but first calls skerry_rpc_check, which checks the first argument and may end
// the program. Then this entry loads every argument back into its register.
ENTRY("skerry_rpc_checked_entry",
      SAVE_AND_CALL("skerry_rpc_check") "\tmovq %rax, %r11\n"
      "\tmovq (%rsp), %rdi\n\tmovq 8(%rsp), %rsi\n\tmovq 16(%rsp), %rdx\n\tmovq 24(%rsp), %rcx\n"
      "\tmovq 32(%rsp), %r8\n\tmovq 40(%rsp), %r9\n"
      "\tmovlps 48(%rsp), %xmm0\n\tmovlps 56(%rsp), %xmm1\n\tmovlps 64(%rsp), %xmm2\n\tmovlps 72(%rsp), %xmm3\n"
      "\tmovlps 80(%rsp), %xmm4\n\tmovlps 88(%rsp), %xmm5\n\tmovlps 96(%rsp), %xmm6\n\tmovlps 104(%rsp), %xmm7\n"
      "\tmovhps 112(%rsp), %xmm0\n\tmovhps 120(%rsp), %xmm1\n\tmovhps 128(%rsp), %xmm2\n\tmovhps 136(%rsp), %xmm3\n"
      "\tmovhps 144(%rsp), %xmm4\n\tmovhps 152(%rsp), %xmm5\n\tmovhps 160(%rsp), %xmm6\n\tmovhps 168(%rsp), %xmm7\n"
      "\taddq $280, %rsp\n\t.cfi_adjust_cfa_offset -280\n\tjmp .Lskerry_rpc_call\n");

// Calls skerry_rpc_keep, which stores the function and its arguments for the library routine that the program calls
// next. The program ignores this entry's result, whatever the function's result type is. But if results of that type
// are on the x87 stack, the program pops them from there. So this entry pushes as many zeros; skerry_rpc_keep returns
// their number.
ENTRY("skerry_rpc_keep_entry",
      SAVE_AND_CALL("skerry_rpc_keep")
      "\ttestl %eax, %eax\n\tje 1f\n\tfldz\n\tcmpl $1, %eax\n\tje 1f\n\tfldz\n1:\n"
      "\taddq $280, %rsp\n\t.cfi_adjust_cfa_offset -280\n\tret\n");

// Implements skerry_apply(code, integers, vectors, halves, results), which call.h describes. Values that are on the x87
// stack after the call are results, because the convention requires that stack to be empty before and after every other
// call. Their number follows from the field TOP of the status word, which is 0 for an empty stack, 7 for one value and
// 6 for two values.
ENTRY("skerry_apply",
      "\tpushq %rbx\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_offset %rbx, -16\n"
      "\tmovq %r8, %rbx\n\tmovq %rdi, %r11\n\tmovq %rsi, %r10\n"
      "\ttestl $1, %ecx\n\tje 4f\n"
      "\tmovsd 0(%rdx), %xmm0\n\tmovsd 8(%rdx), %xmm1\n\tmovsd 16(%rdx), %xmm2\n\tmovsd 24(%rdx), %xmm3\n"
      "\tmovsd 32(%rdx), %xmm4\n\tmovsd 40(%rdx), %xmm5\n\tmovsd 48(%rdx), %xmm6\n\tmovsd 56(%rdx), %xmm7\n"
      "\ttestl $2, %ecx\n\tje 1f\n"
      "\tmovhps 64(%rdx), %xmm0\n\tmovhps 72(%rdx), %xmm1\n\tmovhps 80(%rdx), %xmm2\n\tmovhps 88(%rdx), %xmm3\n"
      "\tmovhps 96(%rdx), %xmm4\n\tmovhps 104(%rdx), %xmm5\n\tmovhps 112(%rdx), %xmm6\n\tmovhps 120(%rdx), %xmm7\n"
      "1:\n\tmovq (%r10), %rdi\n\tmovq 8(%r10), %rsi\n\tmovq 16(%r10), %rdx\n\tmovq 24(%r10), %rcx\n"
      "\tmovq 32(%r10), %r8\n\tmovq 40(%r10), %r9\n\txorl %eax, %eax\n\tcall *%r11\n"
      "\tmovq %rax, (%rbx)\n\tmovq %rdx, 8(%rbx)\n\tmovups %xmm0, 16(%rbx)\n\tmovups %xmm1, 32(%rbx)\n"
      "\tfnstsw %ax\n\tandl $0x3800, %eax\n\tmovl $0, 48(%rbx)\n\tjne 2f\n"
      "3:\n\tpopq %rbx\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_restore %rbx\n\tret\n"
      "\t.cfi_adjust_cfa_offset 8\n\t.cfi_offset %rbx, -16\n"
      "2:\n\tmovl $1, 48(%rbx)\n\tfstpt 64(%rbx)\n\tcmpl $0x3000, %eax\n\tjne 3b\n"
      "\tmovl $2, 48(%rbx)\n\tfstpt 80(%rbx)\n\tjmp 3b\n"
      // If all vector arguments are zero, a message leaves them out, and `halves` is 0. Then this code sets their
      // registers to zero.
      "4:\n\txorps %xmm0, %xmm0\n\txorps %xmm1, %xmm1\n\txorps %xmm2, %xmm2\n\txorps %xmm3, %xmm3\n"
      "\txorps %xmm4, %xmm4\n\txorps %xmm5, %xmm5\n\txorps %xmm6, %xmm6\n\txorps %xmm7, %xmm7\n\tjmp 1b\n");
// clang-format on

// The convention returns a complex float in one vector register, a complex double in two, and a complex long double on
// the x87 stack.
void skerry_call_result(const struct skerry_results *results, enum skerry_call_kind kind, void *value, size_t bytes) {
    switch (kind) {
    case SKERRY_CALL_INTEGER: memcpy(value, results->integers, bytes); break;
    case SKERRY_CALL_REAL: memcpy(value, results->vectors, bytes); break;
    case SKERRY_CALL_LONG_REAL: memcpy(value, results->stack, bytes); break;
    case SKERRY_CALL_COMPLEX:
        if (bytes == sizeof results->stack) {
            memcpy(value, results->stack, bytes);
            break;
        }
        memcpy(value, results->vectors[0], 8);
        if (bytes == 16) memcpy((char *)value + 8, results->vectors[1], 8);
        break;
    default: break;
    }
}
