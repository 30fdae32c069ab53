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
extern skerry_word skerry_heard[];    // signals from PE i that have arrived; only PE i stores here
extern skerry_word skerry_sent[];     // signals to PE i
extern skerry_word skerry_expected[]; // signals from PE i that have been waited for

SKERRY_HOT void skerry_channel_signal(int pe) {
    skerry_post(&skerry_heard[skerry_my_pe()], ++skerry_sent[pe], pe);
}

SKERRY_HOT void skerry_channel_await(int pe) {
    skerry_word wanted = ++skerry_expected[pe];
    SKERRY_WAIT_UNTIL(skerry_reached(&skerry_heard[pe], wanted), pe);
}

// Stores data at the symmetric address `dest` of a PE, and a signal behind it.
void skerry_channel_send(void *dest, const void *source, size_t bytes, int pe);

// A barrier by dissemination of a group that has no words of its own, each round with its addresses; the last has none.
struct skerry_channel_round {
    skerry_word *there;       // the signal goes here, and is counted
    skerry_word *sent;        // here
    const skerry_word *heard; // the round's other partner signals here,
    skerry_word *expected;    // and this is how many of its signals were waited for
};
void skerry_channel_plan(struct skerry_channel_round rounds[SKERRY_PARTNERS_MAX], const struct skerry_group *group);
void skerry_channel_barrier(const struct skerry_channel_round *round);

#endif
