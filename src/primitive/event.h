// SPDX-License-Identifier: BSD-3-Clause
// An event: a condition on a watched word, true or false (Hascoet et al. 2017, 5.2). Whoever changes the word does so by an operation that
// wakes its owner, so a wait for an event loses no wake-up: the machine's pause looks again after it has announced the
// sleep. Looking acquires: what was written before the word is there when the condition holds.
#ifndef SKERRY_PRIMITIVE_EVENT_H
#define SKERRY_PRIMITIVE_EVENT_H

#include "wait.h"

// The comparisons, of the word with the value.
enum skerry_condition {
    SKERRY_ALWAYS,
    SKERRY_EQUAL,
    SKERRY_NOT_EQUAL,
    SKERRY_LESS,
    SKERRY_LESS_EQUAL,
    SKERRY_GREATER,
    SKERRY_GREATER_EQUAL
};

SKERRY_ALWAYS_INLINE bool skerry_condition_holds(int64_t word, enum skerry_condition condition, int64_t value) {
    switch (condition) {
    case SKERRY_ALWAYS: return true;
    case SKERRY_EQUAL: return word == value;
    case SKERRY_NOT_EQUAL: return word != value;
    case SKERRY_LESS: return word < value;
    case SKERRY_LESS_EQUAL: return word <= value;
    case SKERRY_GREATER: return word > value;
    case SKERRY_GREATER_EQUAL: return word >= value;
    }
    return false;
}

#endif
