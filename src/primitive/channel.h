// SPDX-License-Identifier: BSD-3-Clause
// Declares channels. A channel is a one-way connection from one PE to another that carries counted signals. Each PE has
// a channel to each other PE. Channels are for machines on which reading another PE's memory is expensive and each PE
// has one thread.
// - The sender counts the signals that it has sent, in its own memory.
// - The receiver counts the signals that it has waited for, in its own memory.
// - Sender and receiver share one word in the receiver's memory: the sender stores its count there, and the receiver
//   polls it.
//
// A channel orders only its sender's stores to the receiver's memory. A channel does not order the sender's stores to a
// third PE.
//
// Why groups need no memory of their own for signals, even if two PEs are members of several groups:
// - A PE executes one collective at a time, so both PEs execute their common collectives in the same order.
// - Therefore a PE's k-th wait for another PE waits for the k-th signal from that PE.
// - A sender that is ahead of its receiver loses no signal, because counts only grow.
#ifndef SKERRY_PRIMITIVE_CHANNEL_H
#define SKERRY_PRIMITIVE_CHANNEL_H

#include "group.h"

// Counts of this PE's channels (one-way connections to and from each other PE). Element i is for the channels from and
// to PE i. After linking, each array has one element for each PE.
extern struct skerry_incoming {
    _Alignas(2 * sizeof(skerry_word)) skerry_word heard; // number of signals from PE i; only PE i stores here
    skerry_word expected;                                // number of signals from PE i that this PE has waited for
} skerry_incoming[];
extern skerry_word skerry_sent[]; // number of signals that this PE has sent to PE i

// Sends a signal to PE `pe`. The store of the count is a release.
SKERRY_ALWAYS_INLINE void skerry_channel_signal(int pe) {
    skerry_store_release(&skerry_incoming[skerry_my_pe()].heard, ++skerry_sent[pe], pe);
}

// Waits for the next signal from PE `pe`. The load of the count is an acquire.
SKERRY_ALWAYS_INLINE void skerry_channel_await(int pe) {
    skerry_word wanted = ++skerry_incoming[pe].expected;
    SKERRY_WAIT_UNTIL(skerry_reached(&skerry_incoming[pe].heard, wanted), pe);
}

// Copies `bytes` bytes to the symmetric address `dest` of PE `pe`, and then sends a signal to that PE.
void skerry_channel_send(void *dest, const void *source, size_t bytes, int pe);

// The addresses that this PE uses in one round of a dissemination barrier over channels (one-way connections between
// two PEs). The barrier is for a group that has no words of its own for barriers. skerry_channel_plan fills in an array
// with one element for each round. In the element after the last round, `there` is NULL.
struct skerry_channel_round {
    _Alignas(2 * sizeof(void *)) skerry_word *there; // word at the receiver in which this PE stores its signal
    skerry_word *sent;                               // this PE's count of signals to the receiver
    struct skerry_incoming *from;                    // counts of the PE whose signal this PE waits for
};
void skerry_channel_plan(struct skerry_channel_round rounds[SKERRY_PARTNERS_MAX], const struct skerry_group *group);

// Executes a barrier with the rounds of skerry_channel_plan. The loop loads the next round's addresses while this
// round's signals travel.
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
        // `heard` is at least `before` when a round begins. `heard` can be larger by any number, because the partner
        // can be ahead of this PE. So any value other than `before` ends the wait.
        while (SKERRY_LOAD_ACQUIRE(&from->heard) == before) continue;
    } while (now.there);
}

#endif
