// SPDX-License-Identifier: BSD-3-Clause
// Declares the barriers of a group of PEs; barrier.c has the algorithms. Every function of this file except
// skerry_barrier_prepare is collective: every member of the group must call it.
#ifndef SKERRY_PRIMITIVE_BARRIER_H
#define SKERRY_PRIMITIVE_BARRIER_H

#include "group.h"

// Waits until every member of the group has called this function. What a member stored or put before the barrier is
// then visible to all members. On some machines a store does not become visible to all PEs at once. There the rule
// holds only for what the member completed (skerry_quiet) before. With SKERRY_CHANNELS the group must have its barrier
// words from skerry_barrier_prepare.
void skerry_barrier(struct skerry_group *group);

// Executes a barrier like skerry_barrier, but never by the machine's own barrier. Always uses the words that the group
// got from skerry_barrier_prepare. Used only on machines with SKERRY_CHANNELS.
void skerry_barrier_of_partners(struct skerry_group *group);

// Executes a barrier like skerry_barrier, for a group with an area (its words in each member's memory, group.h). Each
// member waits only for words of its own area. After a member has returned, no PE uses that member's area any more, and
// the member is allowed to free the area. A team uses this function for its last barrier.
void skerry_barrier_own_words(struct skerry_group *group);

// Executes a barrier like skerry_barrier, for a group with an area (its words in each member's memory, group.h). If
// `finish` is not NULL, the last member to arrive calls finish(argument) before any member returns. Meant for
// oversubscribed PEs (more PEs are awake than there are processors). The operating system must schedule each member
// only once.
void skerry_barrier_with(struct skerry_group *group, void (*finish)(void *argument), void *argument);

// Gives a group the words for its barriers, and computes the addresses to which this PE stores. `words` has one zeroed
// word for each round, at the same address in each member. All members must have called this function before a member
// enters the group's barrier. Used only on machines with SKERRY_CHANNELS, for groups that execute many barriers, such
// as teams. An active set has no such words and uses skerry_channel_plan.
SKERRY_ALWAYS_INLINE void skerry_barrier_prepare(struct skerry_group *group, skerry_word *words) {
    group->rounds = words;
    int round = 0;
    for (int distance = 1; distance < group->size; distance *= 2, round++) {
        int to = skerry_member(group, skerry_wrapped(group->rank + distance, group->size));
        group->partners[round] = skerry_global(&words[round], to);
    }
}

#endif
