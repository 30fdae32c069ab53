// SPDX-License-Identifier: BSD-3-Clause
// Calls functions whose arguments came from another PE (call.h).
#include "../riscv/call_result.h"

// Loads the argument registers, calls the function, and stores the registers that can contain its result. The called
// function preserves register s0, so s0 keeps the address for the results during the call.
__asm__(".pushsection .text.skerry_apply_registers,\"ax\",@progbits\n"
        ".balign 4\n"
        ".global skerry_apply_registers\n"
        ".type skerry_apply_registers, @function\n"
        "skerry_apply_registers:\n"
        "addi sp, sp, -16\n"
        "sw ra, 12(sp)\n"
        "sw s0, 8(sp)\n"
        "mv s0, a3\n"
        "mv t0, a0\n"
        "mv t1, a1\n"
        "mv t2, a2\n"
        ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\n"
        "fld fa\\i, 8*\\i(t2)\n"
        "lw a\\i, 4*\\i(t1)\n"
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
        ".size skerry_apply_registers, . - skerry_apply_registers\n"
        ".popsection");
void skerry_apply_registers(void (*code)(void), const uint32_t *integers, const uint64_t *reals,
                            struct skerry_results *results);

void skerry_apply(void (*code)(void), const skerry_call_integer *integers, const struct skerry_vectors *vectors,
                  unsigned halves, struct skerry_results *results) {
    static const uint64_t nothing[8];
    skerry_apply_registers(code, integers, halves & SKERRY_CALL_LOW ? vectors->low : nothing, results);
    results->stacked = 0;
}

void skerry_call_result(const struct skerry_results *results, enum skerry_call_kind kind, void *value, size_t bytes) {
    skerry_copy_result(results->integers, results->vectors, (int)kind, value, bytes);
}
