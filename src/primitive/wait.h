// SPDX-License-Identifier: BSD-3-Clause
// Waiting for a word, and numbers that only grow.
#ifndef SKERRY_PRIMITIVE_WAIT_H
#define SKERRY_PRIMITIVE_WAIT_H

#include "../machine/machine.h"

#define SKERRY_WAIT_UNTIL(condition, owner)                                                                            \
    do {                                                                                                               \
        SKERRY_PAUSE(skerry_pausing);                                                                                  \
        while (!(condition)) skerry_pause(&skerry_pausing, owner);                                                     \
    } while (0)

// Whether a number that only grows has come to `wanted`; right also when the machine's words wrap round.
SKERRY_ALWAYS_INLINE bool skerry_reached(const skerry_word *word, skerry_word wanted) {
    return (skerry_word)(SKERRY_LOAD_ACQUIRE(word) - wanted) <= (skerry_word)-1 / 2;
}

#endif
