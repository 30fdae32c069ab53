// SPDX-License-Identifier: BSD-3-Clause
// Implements four barriers:
// - A dissemination barrier (log2 n rounds, one store and one wait each). Used if every PE has a processor.
// - A central counter. Used if more PEs are awake than there are processors. Each PE waits for only one word, so the
//   operating system must schedule each PE only once. This scheduling takes most of the time.
// - A counter that all members poll. Used for two PEs.
// - A dissemination barrier over the pSync array. Used for active sets. Leaves the array zero.
//
// Why every member sees the stores that all members made before they arrived:
// - Each signal is a release, and each wait is an acquire.
// - A member leaves only after it has received a signal from every member, directly or through other members.
// - Releases and acquires form a chain from each member's arrival to this member's exit.
// A full fence is not needed. No barrier guarantees that a member sees other members' stores between its own arrival
// and its exit.
#include "barrier.h"

#include "levels.h"

// Executes a dissemination barrier over the words of the group's area (struct skerry_area in group.h). In round r each
// member signals the member 2^r ranks after it.
void skerry_barrier_own_words(struct skerry_group *group) {
    if (SKERRY_CHANNELS) {
        skerry_barrier(group); // with channels, each member waits only for words in its own memory
        return;
    }
#if SKERRY_FAR_PES
    if (SKERRY_LEVELS(group)) {
        skerry_levels_barrier_own_words(group);
        return;
    }
#endif
    skerry_word epoch = ++group->barriers;
    int round = 0;
    for (int distance = 1; distance < group->size; distance *= 2, round++) {
        int to = skerry_wrapped(group->rank + distance, group->size);
        skerry_store_release(&group->area->rounds[round].value, epoch, skerry_member(group, to));
        // Only the member 2^round ranks before this PE writes this word. That member stores the number of the barrier
        // that it has reached. If that member is already in the next barrier, its larger number also ends the wait.
        const skerry_word *word = skerry_poll_address(&group->area->rounds[round].value);
        SKERRY_WAIT_UNTIL(skerry_reached(word, epoch), skerry_my_pe());
    }
}

// Executes a barrier with a central counter. The two words of the counter lie in member 0's area: `arrived` counts the
// arrivals at all barriers, and `released` is the number of the last barrier that is complete. Members wait only for
// `released`, so an arrival that is not the last wakes no member.
void skerry_barrier_with(struct skerry_group *group, void (*finish)(void *argument), void *argument) {
    skerry_word epoch = ++group->barriers;
    int home = skerry_member(group, 0);
    skerry_word before = skerry_atomic_count(&group->area->arrived.value, 1, home);
    // Barrier number `epoch` is complete at epoch * size arrivals: nobody can arrive at a barrier before the barrier
    // before it is released.
    if (before + 1 == epoch * (unsigned)group->size) {
        if (finish) finish(argument);
        skerry_store_release(&group->area->released.value, epoch, home);
        return;
    }
    const skerry_word *word = skerry_global(&group->area->released.value, home);
    SKERRY_WAIT_UNTIL(skerry_reached(word, epoch), home);
}

// Executes a barrier for few members, each of which has a processor of its own. Every member increments the same word
// and then polls this word. A barrier with one flag for each member needs one more transfer of a cache line between
// processors (bench/limits/barrier_spin.c).
static void barrier_counter(struct skerry_group *group) {
    skerry_word all = ++group->barriers * (unsigned)group->size;
    int home = skerry_member(group, 0);
    if (skerry_atomic_count_and_wake(&group->area->arrived.value, 1, home) + 1 >= all) return;
    const skerry_word *word = skerry_global(&group->area->arrived.value, home);
    SKERRY_WAIT_UNTIL(skerry_reached(word, all), home);
}

// Executes a dissemination barrier over a work array (the pSync array of an active set). Word r counts the signals of
// round r that this PE has not consumed yet. The count is 0 or 1, or 2 if the sender is one barrier ahead. The count is
// 0 again when all members have left the barrier.
static void barrier_counting(struct skerry_group *group) {
    int round = 0;
    for (int distance = 1; distance < group->size; distance *= 2, round++) {
        int to = skerry_wrapped(group->rank + distance, group->size);
        long *word = &group->work_array[round];
        // Sender and owner both change a word by atomic additions, so no change is lost: +1 for a sent signal, -1 for a
        // consumed signal.
        skerry_work_word_add(word, 1, skerry_member(group, to));
        SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(word) > 0, skerry_my_pe());
        skerry_work_word_add(word, -1, skerry_my_pe());
    }
}

// Executes a dissemination barrier whose addresses skerry_barrier_prepare has computed. Each word holds the number of
// the barrier that the member that writes the word has reached.
void skerry_barrier_of_partners(struct skerry_group *group) {
    skerry_word before = group->barriers++;
    const skerry_word *next = group->rounds;
    skerry_word *const *partners = group->partners;
    skerry_word *partner = *partners++;
    if (!partner) return;
    do {
        __atomic_store_n(partner, before + 1, __ATOMIC_RELEASE);
        const skerry_word *word = next++;
        partner = *partners++; // address for the next round, loaded while this round's signal travels
        // The word is equal to `before` until the signal of this barrier arrives. So any other value ends the wait.
        while (SKERRY_LOAD_ACQUIRE(word) == before) continue;
    } while (partner);
}

void skerry_barrier(struct skerry_group *group) {
    if (SKERRY_HARDWARE_BARRIER && group->by_hardware) skerry_hardware_barrier();
    else if (SKERRY_CHANNELS) skerry_barrier_of_partners(group);
    else if (group->size == 1) return;
#if SKERRY_FAR_PES
    else if (SKERRY_LEVELS(group)) skerry_levels_barrier(group);
#endif
    else if (!group->area) barrier_counting(group);
    else if (skerry_is_oversubscribed()) skerry_barrier_with(group, 0, 0);
    else if (group->size <= SKERRY_COUNTER_BARRIER_MEMBERS) barrier_counter(group);
    else skerry_barrier_own_words(group);
}
