// SPDX-License-Identifier: BSD-3-Clause
// Operands of reductions and scans, and the serial result to compare with. All values are exact in every type, whatever
// the order: sums stay below 100 for 16 members, and products are small powers of two.
#ifndef SKERRY_TEST_SHMEM_OPERANDS_H
#define SKERRY_TEST_SHMEM_OPERANDS_H

#include <complex.h>
#include <stddef.h>

// Operand of member `rank` at element `i`.
static inline int summand(int rank, size_t i) {
    return (int)(((size_t)rank * 7 + i * 3) % 11) - 5;
}

static inline int factor(int rank, size_t i) {
    int phase = (int)(((size_t)rank + i) % 9);
    return phase == 0 ? 2 : phase % 2 ? 1 : -1;
}

static inline int ordinal(int rank, size_t i) {
    return (int)(((size_t)rank * 37 + i * 101) % 201) - 100;
}

static inline int pattern(int rank, size_t i) {
    return (int)(((size_t)rank * 89 + i * 57) % 255) - 127;
}

// The operand as a value of TYPE: real types, and complex ones, whose imaginary part is another member's number.
#define MAKE_REAL(TYPE, NUMBER, rank, i) ((TYPE)NUMBER(rank, i))
#define MAKE_COMPLEX(TYPE, NUMBER, rank, i) ((TYPE)NUMBER(rank, i) + (TYPE)NUMBER((rank) + 1, i) * (TYPE)I)

#define STEP_and(TYPE, a, b) ((TYPE)((a) & (b)))
#define STEP_or(TYPE, a, b) ((TYPE)((a) | (b)))
#define STEP_xor(TYPE, a, b) ((TYPE)((a) ^ (b)))
#define STEP_max(TYPE, a, b) ((a) > (b) ? (a) : (b))
#define STEP_min(TYPE, a, b) ((a) < (b) ? (a) : (b))
#define STEP_sum(TYPE, a, b) ((TYPE)((a) + (b)))
#define STEP_prod(TYPE, a, b) ((TYPE)((a) * (b)))

#endif
