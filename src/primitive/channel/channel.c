// SPDX-License-Identifier: BSD-3-Clause
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
        round->there = skerry_global(&skerry_heard[skerry_my_pe()], to);
        round->sent = &skerry_sent[to];
        round->heard = &skerry_heard[from];
        round->expected = &skerry_expected[from];
    }
    round->there = 0;
    round->sent = &skerry_sent[skerry_my_pe()]; // looked at, and not used
}

// A partner may be a barrier ahead, so more than one signal may have come; fewer than were waited for have not. It is
// enough to see that the count has changed. What the next round needs is found out while this one's signals travel.
void skerry_channel_barrier(const struct skerry_channel_round *round) {
    skerry_word *there = round->there;
    skerry_word number = *round->sent + 1;
    while (there) {
        __atomic_store_n(there, number, __ATOMIC_RELEASE);
        *round->sent = number;
        const skerry_word *heard = round->heard;
        skerry_word before = (*round->expected)++;
        round++;
        there = round->there;
        number = *round->sent + 1;
        while (SKERRY_LOAD_ACQUIRE(heard) == before) continue;
    }
}
