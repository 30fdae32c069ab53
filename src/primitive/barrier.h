// SPDX-License-Identifier: BSD-3-Clause
// Barriers of a group of PEs; barrier.c has the algorithms. All are collective over the group.
#ifndef SKERRY_PRIMITIVE_BARRIER_H
#define SKERRY_PRIMITIVE_BARRIER_H

#include "group.h"

// Returns after every member has called it. On machines where a store becomes visible to all PEs at once, everything
// that a member stored or put before the barrier is visible to every member after it. On other machines this holds for
// everything that the member completed (skerry_quiet) before. With SKERRY_CHANNELS the group must have words
// (skerry_barrier_prepare).
void skerry_barrier(struct skerry_group *group);

// Is the same barrier, over the words of skerry_barrier_prepare and never by the machine's own barrier. For machines
// with SKERRY_CHANNELS.
void skerry_barrier_of_partners(struct skerry_group *group);

// Is the same barrier for a group with an area. Each member waits only for words of its own area. So on return nobody
// writes to this PE's words any more, and no member waits for a word of another member's area: each member may free its
// area. The last barrier of a team.
void skerry_barrier_own_words(struct skerry_group *group);

// Is the same barrier for a group with an area. The last member to arrive calls finish(argument), if `finish` is not
// NULL, before any member returns. Used only if PEs are oversubscribed: each member has to be scheduled only once for
// it.
void skerry_barrier_with(struct skerry_group *group, void (*finish)(void *argument), void *argument);

// Gives a group that is used for several barriers its words, on machines with SKERRY_CHANNELS: one word for each round,
// zeroed, at the same address in each member. No member may enter the group's barrier before all members have called
// this.
SKERRY_ALWAYS_INLINE void skerry_barrier_prepare(struct skerry_group *group, skerry_word *words) {
    group->rounds = words;
    int round = 0;
    for (int distance = 1; distance < group->size; distance *= 2, round++) {
        int to = skerry_member(group, skerry_wrapped(group->rank + distance, group->size));
        group->partners[round] = skerry_global(&words[round], to);
    }
}

#endif
