// SPDX-License-Identifier: BSD-3-Clause
// Barriers of a group.
#ifndef SKERRY_PRIMITIVE_BARRIER_H
#define SKERRY_PRIMITIVE_BARRIER_H

#include "group.h"

// Returns after every member has called it. What a member stored or put before is visible to every member after, on machines
// where a PE's stores are visible to all at once or to none; on others what it has completed is. With SKERRY_CHANNELS the group
// must have words (skerry_barrier_prepare).
void skerry_barrier(struct skerry_group *group);

// The same over the group's words for PEs that signal over channels, where the machine's own barrier does not serve.
void skerry_barrier_of_partners(struct skerry_group *group);

// The same, for a group with an area, by waiting for words of this PE's own area only: on return nobody else will write to
// them any more, and nobody waits for a word of another's area, so each member may give its area away. The last barrier
// of a team.
void skerry_barrier_own_words(struct skerry_group *group);

// The same; between the arrival of all and the release of any, the last member to arrive calls finish(argument).
// Crowded jobs only (the group must have an area): there each member runs once for it.
void skerry_barrier_with(struct skerry_group *group, void (*finish)(void *argument), void *argument);

// Where PEs signal over channels: gives a group that lasts its words, at the same address in each member, one a round, zero.
// Nobody may be in its barrier before all have their words.
SKERRY_ALWAYS_INLINE void skerry_barrier_prepare(struct skerry_group *group, skerry_word *words) {
    group->rounds = words;
    int round = 0;
    for (int distance = 1; distance < group->size; distance *= 2, round++) {
        int to = skerry_member(group, skerry_wrapped(group->rank + distance, group->size));
        group->partners[round] = skerry_global(&words[round], to);
    }
}

#endif
