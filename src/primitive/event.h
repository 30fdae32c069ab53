// SPDX-License-Identifier: BSD-3-Clause
// Defines events. An event is a condition on a word, which holds or does not hold (Hascoet et al. 2017, section 5.2).
// The load of the word is an acquire. If the condition holds, the waiter sees everything that the writer of the word
// stored before the word.
//
// Why a wait for an event loses no wake-up:
// - PEs change the word only by operations that wake the PE that owns the word.
// - A waiter announces its sleep one step before it sleeps (skerry_pause). Between these two steps the waiter evaluates
//   the condition once more.
#ifndef SKERRY_PRIMITIVE_EVENT_H
#define SKERRY_PRIMITIVE_EVENT_H

#include "wait.h"

// The comparison of the word with the event's value. With SKERRY_ALWAYS the condition holds for every word.
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
