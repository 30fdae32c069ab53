// SPDX-License-Identifier: BSD-3-Clause
// Sends data and then a signal over a channel (a counted one-way connection between two PEs). Also computes the
// addresses that each round of a barrier over channels uses.
#include "../channel.h"

void skerry_channel_send(void *dest, const void *source, size_t bytes, int pe) {
    skerry_copy(skerry_global(dest, pe), source, bytes);
    skerry_channel_signal(pe);
}

void skerry_channel_plan(struct skerry_channel_round rounds[SKERRY_PARTNERS_MAX], const struct skerry_group *group) {
    struct skerry_channel_round *round = rounds;
    for (int distance = 1; distance < group->size; distance *= 2, round++) {
        int to = skerry_member(group, skerry_wrapped(group->rank + distance, group->size));
        int from = skerry_member(group, skerry_wrapped(group->rank - distance + group->size, group->size));
        round->there = skerry_global(&skerry_incoming[skerry_my_pe()].heard, to);
        round->sent = &skerry_sent[to];
        round->from = &skerry_incoming[from];
    }
    round->there = 0;
    round->sent = &skerry_sent[skerry_my_pe()]; // the barrier loads this word and ignores its value
}
