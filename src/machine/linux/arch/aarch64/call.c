// SPDX-License-Identifier: BSD-3-Clause
// Makes calls whose arguments were saved from registers, and takes results out of the saved registers
// (contract/call.h).
#include <string.h>

#include "../../../call.h"
#include "entry.h"

// clang-format off
#define LOAD_HIGH(N, HIGH) "\tldr x9, [x2, #" #HIGH "]\n\tmov v" #N ".d[1], x9\n"

// Implements skerry_apply(code, integers, vectors, halves, results), which contract/call.h describes.
SKERRY_ENTRY("skerry_apply",
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
      // If all vector arguments of a call are zero, the call's message does not contain them, and `halves` is 0. In
      // this case this code sets their registers to zero.
      "\t.cfi_def_cfa_offset 32\n"
      "2:\n\tmovi d0, #0\n\tmovi d1, #0\n\tmovi d2, #0\n\tmovi d3, #0\n\tmovi d4, #0\n\tmovi d5, #0\n\tmovi d6, #0\n"
      "\tmovi d7, #0\n\tb 1b\n");
// clang-format on

// Stores a result at `value` (contract/call.h). On this processor the real part and the imaginary part of a complex
// result are in two vector registers.
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
