// SPDX-License-Identifier: BSD-3-Clause
// Multiplies sizes that a program has given, with a check for overflow. transfer.c and blocks.c use these functions.
#ifndef SKERRY_AOS_PRODUCT_H
#define SKERRY_AOS_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#define PITCH_MAX ((uintptr_t)INTPTR_MAX) // greatest number of bytes from one block to the next
#define SMALL 15 // number of bits: the product of two numbers of at most 15 bits cannot overflow

static inline bool multiply_large(uintptr_t a, uintptr_t b, uintptr_t *product) {
    return !__builtin_mul_overflow(a, b, product);
}

// Multiplies two numbers. Returns false on overflow. Factors below 2^SMALL need no test of the product's upper half,
// which some machines compute in software. A caller should pass the smaller factor second.
static inline bool multiply(uintptr_t a, uintptr_t b, uintptr_t *product) {
    if ((a | b) >> SMALL != 0) return multiply_large(a, b, product);
    *product = a * b;
    return true;
}

#endif
