// SPDX-License-Identifier: BSD-3-Clause
// Assembly code of remote calls. The entries are library functions to which thunks jump (a thunk is the code that the
// program calls in place of a remote function). skerry_apply makes the call in the PE that was asked. The stack frame
// of an entry has, from the stack pointer up: a frame record (16 bytes), struct skerry_arguments (8 integers, 8 low and
// 8 high halves: 192 bytes), struct skerry_results (128 bytes).
#include <stddef.h>
#include <string.h>

#include "../../call.h"
#include "../../pe/internal.h"

_Static_assert(sizeof(struct skerry_arguments) == 192 && offsetof(struct skerry_arguments, vectors.low) == 64 &&
                   offsetof(struct skerry_arguments, vectors.high) == 128,
               "the code below has these numbers");
_Static_assert(sizeof(struct skerry_results) == 128 && offsetof(struct skerry_results, vectors) == 16 &&
                   offsetof(struct skerry_results, stacked) == 80,
               "the code below has these numbers");
_Static_assert(offsetof(struct skerry_function, code) == 0, "the code below has this number");
_Static_assert(offsetof(struct skerry_facts, my_pe) == 0 && offsetof(struct skerry_facts, pe_count) == 4,
               "the code below has these numbers");
_Static_assert(SKERRY_BASE >> SKERRY_PARTITION_SHIFT == 1024, "the code below has this number");

#define NUMBER_(x) #x
#define NUMBER(x) NUMBER_(x)

// clang-format off
// Stores both halves of vector register N in the frame, at the offsets LOW and HIGH. The upper half passes through x9.
#define SAVE_HALVES(N, LOW, HIGH) "\tstr d" #N ", [sp, #" #LOW "]\n\tmov x9, v" #N ".d[1]\n\tstr x9, [sp, #" #HIGH "]\n"

#define SAVE_AND_CALL(HANDLER)                                                                                         \
    "\tstp x29, x30, [sp, #-336]!\n\t.cfi_def_cfa_offset 336\n\t.cfi_offset 29, -336\n\t.cfi_offset 30, -328\n"        \
    "\tmov x29, sp\n"                                                                                                  \
    "\tstp x0, x1, [sp, #16]\n\tstp x2, x3, [sp, #32]\n\tstp x4, x5, [sp, #48]\n\tstp x6, x7, [sp, #64]\n"             \
    SAVE_HALVES(0, 80, 144) SAVE_HALVES(1, 88, 152) SAVE_HALVES(2, 96, 160) SAVE_HALVES(3, 104, 168)                   \
    SAVE_HALVES(4, 112, 176) SAVE_HALVES(5, 120, 184) SAVE_HALVES(6, 128, 192) SAVE_HALVES(7, 136, 200)                \
    "\tmov x0, x16\n\tadd x1, sp, #16\n\tadd x2, sp, #208\n\tbl " HANDLER "\n"

#define LEAVE "\tldp x29, x30, [sp], #336\n\t.cfi_def_cfa_offset 0\n\t.cfi_restore 29\n\t.cfi_restore 30\n\tret\n"

#define ENTRY(NAME, BODY)                                                                                              \
    __asm__(".pushsection .text\n.globl " NAME "\n.type " NAME ", %function\n.p2align 4\n" NAME ":\n.cfi_startproc\n"   \
            "\thint #36\n" BODY ".cfi_endproc\n.size " NAME ", . - " NAME "\n.popsection\n")

// Makes a call. The upper bits of the first argument name a PE. If they name another PE of the job, skerry_rpc_call has
// that PE run the function. If they name this PE or no PE, the entry jumps to the function itself.
ENTRY("skerry_rpc_call_entry",
      ".Lskerry_rpc_call:\n"
      "\tlsr x9, x0, #" NUMBER(SKERRY_PARTITION_SHIFT) "\n\tsub x9, x9, #1024\n"
      "\tadrp x10, :got:skerry_facts\n\tldr x10, [x10, :got_lo12:skerry_facts]\n"
      "\tldp w11, w12, [x10]\n\tcmp x9, x11\n\tb.eq 1f\n\tcmp x9, x12\n\tb.lo 2f\n"
      "1:\n\tldr x16, [x16]\n\tbr x16\n"
      "2:\n" SAVE_AND_CALL("skerry_rpc_call")
      "\tldp x0, x1, [sp, #208]\n\tldp q0, q1, [sp, #224]\n\tldp q2, q3, [sp, #256]\n" LEAVE);

#define LOAD_HALVES(N, LOW, HIGH) "\tldr d" #N ", [sp, #" #LOW "]\n\tldr x9, [sp, #" #HIGH "]\n\tmov v" #N ".d[1], x9\n"

// Does what skerry_rpc_call_entry does, but first calls skerry_rpc_check, which checks the first argument and may end
// the program. Then this entry loads every argument back into its register. It also saves x8, which holds the address
// of a large result.
ENTRY("skerry_rpc_checked_entry",
      "\tstp x8, x30, [sp, #-16]!\n"
      SAVE_AND_CALL("skerry_rpc_check") "\tmov x16, x0\n"
      LOAD_HALVES(0, 80, 144) LOAD_HALVES(1, 88, 152) LOAD_HALVES(2, 96, 160) LOAD_HALVES(3, 104, 168)
      LOAD_HALVES(4, 112, 176) LOAD_HALVES(5, 120, 184) LOAD_HALVES(6, 128, 192) LOAD_HALVES(7, 136, 200)
      "\tldp x0, x1, [sp, #16]\n\tldp x2, x3, [sp, #32]\n\tldp x4, x5, [sp, #48]\n\tldp x6, x7, [sp, #64]\n"
      "\tldp x29, x30, [sp], #336\n\tldp x8, x30, [sp], #16\n"
      "\t.cfi_def_cfa_offset 0\n\t.cfi_restore 29\n\t.cfi_restore 30\n\tb .Lskerry_rpc_call\n");

// Calls skerry_rpc_keep, which stores the function and its arguments for the library routine that the program calls
// next. The program ignores this entry's result, whatever the function's result type is.
ENTRY("skerry_rpc_keep_entry", SAVE_AND_CALL("skerry_rpc_keep") LEAVE);

#define LOAD_HIGH(N, HIGH) "\tldr x9, [x2, #" #HIGH "]\n\tmov v" #N ".d[1], x9\n"

// Implements skerry_apply(code, integers, vectors, halves, results), which call.h describes.
ENTRY("skerry_apply",
      "\tstp x29, x30, [sp, #-32]!\n\t.cfi_def_cfa_offset 32\n\t.cfi_offset 29, -32\n\t.cfi_offset 30, -24\n"
      "\tmov x29, sp\n\tstr x4, [sp, #16]\n\tmov x16, x0\n\tmov x10, x1\n"
      "\ttbz w3, #0, 2f\n"
      "\tldp d0, d1, [x2]\n\tldp d2, d3, [x2, #16]\n\tldp d4, d5, [x2, #32]\n\tldp d6, d7, [x2, #48]\n"
      "\ttbz w3, #1, 1f\n"
      LOAD_HIGH(0, 64) LOAD_HIGH(1, 72) LOAD_HIGH(2, 80) LOAD_HIGH(3, 88)
      LOAD_HIGH(4, 96) LOAD_HIGH(5, 104) LOAD_HIGH(6, 112) LOAD_HIGH(7, 120)
      "1:\n\tldp x0, x1, [x10]\n\tldp x2, x3, [x10, #16]\n\tldp x4, x5, [x10, #32]\n\tldp x6, x7, [x10, #48]\n"
      "\tblr x16\n\tldr x9, [sp, #16]\n"
      "\tstp x0, x1, [x9]\n\tstp q0, q1, [x9, #16]\n\tstp q2, q3, [x9, #48]\n\tstr wzr, [x9, #80]\n"
      "\tldp x29, x30, [sp], #32\n\t.cfi_def_cfa_offset 0\n\t.cfi_restore 29\n\t.cfi_restore 30\n\tret\n"
      // If all vector arguments are zero, a message leaves them out, and `halves` is 0. Then this code sets their
      // registers to zero.
      "\t.cfi_def_cfa_offset 32\n"
      "2:\n\tmovi d0, #0\n\tmovi d1, #0\n\tmovi d2, #0\n\tmovi d3, #0\n\tmovi d4, #0\n\tmovi d5, #0\n\tmovi d6, #0\n"
      "\tmovi d7, #0\n\tb 1b\n");
// clang-format on

// The convention returns the real part and the imaginary part of a complex number in two vector registers.
void skerry_call_result(const struct skerry_results *results, enum skerry_call_kind kind, void *value, size_t bytes) {
    switch (kind) {
    case SKERRY_CALL_INTEGER: memcpy(value, results->integers, bytes); break;
    case SKERRY_CALL_REAL:
    case SKERRY_CALL_LONG_REAL: memcpy(value, results->vectors, bytes); break;
    case SKERRY_CALL_COMPLEX:
        memcpy(value, results->vectors[0], bytes / 2);
        memcpy((char *)value + bytes / 2, results->vectors[1], bytes / 2);
        break;
    default: break;
    }
}
