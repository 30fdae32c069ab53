// SPDX-License-Identifier: BSD-3-Clause
// Signals between two PEs that are counted, for machines on which reading another PE's memory is dear and PEs have one
// thread. A channel leads from each PE to each other. Its sender counts what it has sent, its receiver what it has waited
// for, each in its own memory; the only word between them is the sender's count, which it stores at the receiver.
//
// Whatever the groups are in which two PEs meet, they meet in the same order, since both are in each of their common
// collectives and a PE is in one at a time. So the k-th wait for a PE means the k-th signal from it, groups need no memory
// of their own, and a sender that is ahead loses nothing: counts only grow.
//
// A channel orders what its sender has stored at the receiver, and nothing else: stores of two PEs to a third have no order.
#ifndef SKERRY_PRIMITIVE_CHANNEL_H
#define SKERRY_PRIMITIVE_CHANNEL_H

#include "group.h"

// Element i is about PE i, in memory that the machine gives.
extern struct skerry_incoming {
    _Alignas(2 * sizeof(skerry_word)) skerry_word heard; // signals from PE i that have arrived; only PE i stores here
    skerry_word expected;                                // signals from PE i that have been waited for
} skerry_incoming[];
extern skerry_word skerry_sent[]; // signals to PE i

SKERRY_ALWAYS_INLINE void skerry_channel_signal(int pe) {
    skerry_store_release(&skerry_incoming[skerry_my_pe()].heard, ++skerry_sent[pe], pe);
}

SKERRY_ALWAYS_INLINE void skerry_channel_await(int pe) {
    skerry_word wanted = ++skerry_incoming[pe].expected;
    SKERRY_WAIT_UNTIL(skerry_reached(&skerry_incoming[pe].heard, wanted), pe);
}

// Stores data at the symmetric address `dest` of a PE, and a signal behind it.
void skerry_channel_send(void *dest, const void *source, size_t bytes, int pe);

// A barrier by dissemination of a group that has no words of its own, each round with its addresses; the last has none.
struct skerry_channel_round {
    _Alignas(2 * sizeof(void *)) skerry_word *there; // the signal goes here,
    skerry_word *sent;                               // and is counted here
    struct skerry_incoming *from;                    // of the round's other partner
};
void skerry_channel_plan(struct skerry_channel_round rounds[SKERRY_PARTNERS_MAX], const struct skerry_group *group);

// A partner may be a barrier ahead, so more than one signal may have come; fewer than were waited for have not. It is
// enough to see that the count has changed. What the next round needs is found out while this one's signals travel.
SKERRY_ALWAYS_INLINE void skerry_channel_barrier(const struct skerry_channel_round *round) {
    struct skerry_channel_round now = *round;
    skerry_word number = *now.sent + 1;
    if (!now.there) return;
    do {
        __atomic_store_n(now.there, number, __ATOMIC_RELEASE);
        *now.sent = number;
        struct skerry_incoming *from = now.from;
        skerry_word before = from->expected;
        from->expected = before + 1;
        now = *++round;
        number = *now.sent + 1;
        while (SKERRY_LOAD_ACQUIRE(&from->heard) == before) continue;
    } while (now.there);
}

#endif
