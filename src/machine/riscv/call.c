// SPDX-License-Identifier: BSD-3-Clause
// Calls functions whose arguments came from another core (call.h).
#include "call_result.h"

// Loads the argument registers, calls the function, and stores the registers that can contain its result. The called
// function preserves register s0, so s0 keeps the address for the results during the call.
__asm__(".pushsection .text.skerry_apply_arguments,\"ax\",@progbits\n"
        ".balign 4\n"
        ".global skerry_apply_arguments\n"
        ".type skerry_apply_arguments, @function\n"
        "skerry_apply_arguments:\n"
        "addi sp, sp, -16\n"
        "sw ra, 12(sp)\n"
        "sw s0, 8(sp)\n"
        "mv s0, a2\n"
        "mv t0, a0\n"
        "mv t1, a1\n"
        ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\n"
        "lw a\\i, 4*\\i(t1)\n"
        "fld fa\\i, 32+8*\\i(t1)\n"
        ".endr\n"
        "jalr t0\n"
        "sw a0, 0(s0)\n"
        "sw a1, 4(s0)\n"
        "fsd fa0, 8(s0)\n"
        "fsd fa1, 16(s0)\n"
        "lw ra, 12(sp)\n"
        "lw s0, 8(sp)\n"
        "addi sp, sp, 16\n"
        "ret\n"
        ".size skerry_apply_arguments, . - skerry_apply_arguments\n"
        ".popsection");

void skerry_call_result(const struct skerry_results *results, int kind, void *value, size_t bytes) {
    skerry_copy_result(results->integers, results->reals, kind, value, bytes);
}
