// SPDX-License-Identifier: BSD-3-Clause
// Records which mailboxes, senders, tags, channels and micro-cores the program has allocated, in a bit for each. All
// threads of the PE share the bits and change them by atomic operations, so no lock is needed.
#include "internal.h"

#define WORD_BITS 32u
#define WORDS 6

static const struct {
    unsigned count;
    const char *unowned; // an error message
} kinds[SKERRY_NOC_KINDS] = {
    [SKERRY_NOC_MAILBOX] = {SKERRY_NOC_MAILBOXES, "mailbox #: the program has not allocated it"},
    [SKERRY_NOC_SENDER] = {SKERRY_NOC_SENDERS, "sender #: the program has not allocated it"},
    [SKERRY_NOC_TAG] = {SKERRY_NOC_TAGS, "Rx tag #: the program has not allocated it"},
    [SKERRY_NOC_CHANNEL] = {SKERRY_NOC_CHANNELS, "Tx channel #: the program has not allocated it"},
    [SKERRY_NOC_ENGINE] = {SKERRY_NOC_ENGINES, "micro-core #: the program has not allocated it"},
};
#define HAS_BITS(COUNT) ((COUNT) <= WORDS * WORD_BITS)
_Static_assert(HAS_BITS(SKERRY_NOC_MAILBOXES) && HAS_BITS(SKERRY_NOC_SENDERS) && HAS_BITS(SKERRY_NOC_TAGS) &&
                   HAS_BITS(SKERRY_NOC_CHANNELS) && HAS_BITS(SKERRY_NOC_ENGINES),
               "a bit for each");

static uint32_t taken[SKERRY_NOC_KINDS][WORDS];

void skerry_noc_check_interface(const char *routine, int interface) {
    if (interface != 0)
        skerry_fail_values(routine, "interface #: a cluster has only interface 0", (long[]){interface}, 1);
}

bool skerry_noc_take(enum skerry_noc_kind kind, unsigned number) {
    if (number >= kinds[kind].count) return false;
    const uint32_t bit = 1u << number % WORD_BITS;
    return (__atomic_fetch_or(&taken[kind][number / WORD_BITS], bit, __ATOMIC_ACQUIRE) & bit) == 0;
}

bool skerry_noc_take_any(enum skerry_noc_kind kind, unsigned *number, bool blocking) {
    do {
        for (unsigned i = 0; i < kinds[kind].count; i++) {
            if (skerry_noc_is_taken(kind, i) || !skerry_noc_take(kind, i)) continue;
            *number = i;
            return true;
        }
    } while (blocking);
    return false;
}

void skerry_noc_give(enum skerry_noc_kind kind, unsigned number) {
    __atomic_fetch_and(&taken[kind][number / WORD_BITS], ~(1u << number % WORD_BITS), __ATOMIC_RELEASE);
}

bool skerry_noc_is_taken(enum skerry_noc_kind kind, unsigned number) {
    return number < kinds[kind].count &&
           (__atomic_load_n(&taken[kind][number / WORD_BITS], __ATOMIC_RELAXED) >> number % WORD_BITS & 1) != 0;
}

void skerry_noc_check(const char *routine, int interface, enum skerry_noc_kind kind, unsigned number) {
    skerry_noc_check_interface(routine, interface);
    if (!skerry_noc_is_taken(kind, number)) skerry_fail_values(routine, kinds[kind].unowned, (long[]){(long)number}, 1);
}
