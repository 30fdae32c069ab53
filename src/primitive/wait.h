// SPDX-License-Identifier: BSD-3-Clause
// Defines SKERRY_WAIT_UNTIL, which waits until a condition on a word in PE `owner`'s memory is true. Also defines
// skerry_reached, a condition on a word that counts up.
#ifndef SKERRY_PRIMITIVE_WAIT_H
#define SKERRY_PRIMITIVE_WAIT_H

#include "../machine/machine.h"

#define SKERRY_WAIT_UNTIL(condition, owner)                                                                            \
    do {                                                                                                               \
        SKERRY_PAUSE(skerry_pausing);                                                                                  \
        while (!(condition)) skerry_pause(&skerry_pausing, owner);                                                     \
    } while (0)

// Returns true if a number that only grows has reached `wanted`. The load is an acquire. The number is allowed to pass
// the largest value of a word and to begin again at 0. But the number must not differ from `wanted` by more than half
// of the word's range.
SKERRY_ALWAYS_INLINE bool skerry_reached(const skerry_word *word, skerry_word wanted) {
    return (skerry_word)(SKERRY_LOAD_ACQUIRE(word) - wanted) <= (skerry_word)-1 / 2;
}

#endif
