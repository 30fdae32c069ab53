// SPDX-License-Identifier: BSD-3-Clause
// Defines the words that skerry_quiet uses (quiet.S), and skerry_multiply (machine.h) for the computation of ranks.
#include "internal.h"

struct skerry_quiet_words skerry_quiet_words;

int skerry_multiply(int rank, int stride) {
    unsigned product = 0;
    for (unsigned left = (unsigned)rank, right = (unsigned)stride; left != 0; left >>= 1, right <<= 1)
        if (left & 1) product += right;
    return (int)product;
}
