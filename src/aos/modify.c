// SPDX-License-Identifier: BSD-3-Clause
// Executes every atomic operation by compare-swap. Used for conditional atomics, and for words that the inlined bodies
// of atomic.h cannot access. If the condition is on the changed word itself, the test and the change must be one atomic
// step.
#include "internal.h"

static int64_t apply(uint32_t operation, int64_t before, int64_t value, int64_t expected) {
    switch ((enum skerry_aos_operation)operation) {
    case SKERRY_AOS_ADD:
    case SKERRY_AOS_FETCH_ADD: return (int64_t)((uint64_t)before + (uint64_t)value);
    case SKERRY_AOS_POKE:
    case SKERRY_AOS_SWAP: return value;
    case SKERRY_AOS_AND: return before & value;
    case SKERRY_AOS_OR: return before | value;
    case SKERRY_AOS_XOR: return before ^ value;
    case SKERRY_AOS_FETCH_CLEAR: return 0;
    case SKERRY_AOS_COMPARE_SWAP: return before == expected ? value : before;
    case SKERRY_AOS_PEEK: break;
    }
    return before;
}

int64_t skerry_aos_load_word(uint64_t word) {
    return SKERRY_LOAD_ACQUIRE((const int64_t *)(uintptr_t)word);
}

// Stores `value` to the word if it holds `expected`. Returns the word's old value.
static int64_t compare_swap(const struct skerry_aos_place *place, int64_t expected, int64_t value) {
    uint64_t *word = (uint64_t *)(uintptr_t)place->word;
#if SKERRY_PRIVATE_MEMORY
    if (place->is_private) {
        uint64_t held = (uint64_t)expected;
        __atomic_compare_exchange_n(word, &held, (uint64_t)value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        skerry_wake(place->owner);
        return (int64_t)held;
    }
#endif
    if (skerry_is_outside(word))
        return (int64_t)skerry_outside_compare_swap_64(word, (uint64_t)expected, (uint64_t)value);
    return (int64_t)skerry_atomic_compare_swap_64(word, (uint64_t)expected, (uint64_t)value, place->owner);
}

static bool holds(int64_t word, const aos_condition_t *when) {
    return skerry_condition_holds(word, (enum skerry_condition)when->condition, when->value);
}

bool skerry_aos_modify(const struct skerry_aos_place *place, uint32_t operation, int64_t value, int64_t expected,
                       uint64_t watched, const aos_condition_t *when, int64_t *before) {
    bool same = when && watched == place->word;
    if (when && !same && !holds(skerry_aos_load_word(watched), when)) return false;
    int64_t held = skerry_aos_load_word(place->word);
    for (;;) {
        *before = held;
        if (same && !holds(held, when)) return false;
        if (operation == SKERRY_AOS_PEEK) return true;
        held = compare_swap(place, held, apply(operation, held, value, expected));
        if (held == *before) return true;
    }
}
