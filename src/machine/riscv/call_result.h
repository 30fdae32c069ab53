// SPDX-License-Identifier: BSD-3-Clause
// Copies the result of a call from the stored registers, for the calling convention ilp32d of RISC-V.
#ifndef SKERRY_MACHINE_RISCV_CALL_RESULT_H
#define SKERRY_MACHINE_RISCV_CALL_RESULT_H

#include "../call.h"

// `integers` has the registers a0 and a1, and `reals` has fa0 and fa1. For SKERRY_CALL_OTHER, such as a struct, this
// function does not know which registers contain the result. In this case it takes the integer registers.
static inline void skerry_copy_result(const uint32_t *integers, const void *reals, int kind, void *value,
                                      size_t bytes) {
    const char *from = (const char *)integers;
    if (kind == SKERRY_CALL_REAL || kind == SKERRY_CALL_COMPLEX) from = reals;
    if (kind == SKERRY_CALL_COMPLEX && bytes == 2 * sizeof(float)) {
        __builtin_memcpy(value, from, sizeof(float));
        __builtin_memcpy((char *)value + sizeof(float), from + sizeof(double), sizeof(float));
        return;
    }
    if (bytes <= 2 * sizeof(double)) __builtin_memcpy(value, from, bytes);
}

#endif
