// SPDX-License-Identifier: BSD-3-Clause
// Makes calls whose arguments were saved from registers, and takes results out of the saved registers
// (contract/call.h).
#include <string.h>

#include "../../../call.h"
#include "entry.h"

// clang-format off

// Implements skerry_apply(code, integers, vectors, halves, results), which contract/call.h describes. By the calling
// convention, the x87 stack is empty at every call and at every return, except for results. So values on this stack
// after the call are results. Their number follows from the field TOP of the x87 status word: 0 for an empty stack, 7
// for one value, 6 for two values.
SKERRY_ENTRY(
    "skerry_apply",
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
    // If all vector arguments of a call are zero, the call's message does not contain them, and `halves` is 0. In this
    // case this code sets their registers to zero.
    "4:\n\txorps %xmm0, %xmm0\n\txorps %xmm1, %xmm1\n\txorps %xmm2, %xmm2\n\txorps %xmm3, %xmm3\n"
    "\txorps %xmm4, %xmm4\n\txorps %xmm5, %xmm5\n\txorps %xmm6, %xmm6\n\txorps %xmm7, %xmm7\n\tjmp 1b\n");
// clang-format on

// Stores a result at `value` (contract/call.h). On this processor a complex float is returned in one vector register, a
// complex double in two, and a complex long double on the x87 stack.
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
