// SPDX-License-Identifier: BSD-3-Clause
// Four barriers. Dissemination (log2 n rounds, one store and one wait each) where every PE has a processor. A central
// counter in crowded jobs: what counts there is how often each PE must be scheduled, and with one word to wait for it is
// once. A counter that all poll where there are two PEs. Dissemination over a work array that must read zero again, for active sets.
//
// Visibility. Each signal is a release, each wait an acquire, and a member leaves only when it has heard, directly or
// through others, from all. Release and acquire chain, so it sees what all stored before they arrived. No full fence is
// needed: a member that has not left yet is not entitled to anything.
#include "barrier.h"

// rounds[r] of a member is written only by the member 2^r ranks before it, with the number of the barrier it has reached;
// numbers only grow, so a member that is already one barrier ahead never hides the signal that is waited for.
void skerry_barrier_own_words(struct skerry_group *group) {
    if (SKERRY_CHANNELS) {
        skerry_barrier(group); // no other words are there
        return;
    }
    skerry_word epoch = ++group->barriers;
    int round = 0;
    for (int distance = 1; distance < group->size; distance *= 2, round++) {
        int to = skerry_wrapped(group->rank + distance, group->size);
        skerry_store_release(&group->area->rounds[round].value, epoch, skerry_member(group, to));
        const skerry_word *word = skerry_poll_address(&group->area->rounds[round].value);
        SKERRY_WAIT_UNTIL(skerry_reached(word, epoch), skerry_my_pe());
    }
}

// Member 0 holds both words. `arrived` counts over all barriers: nobody can arrive at barrier e + 1 before e is released,
// so the arrival that makes it e * size is the last of barrier e. All wait for `released`; arriving wakes nobody.
void skerry_barrier_with(struct skerry_group *group, void (*finish)(void *argument), void *argument) {
    skerry_word epoch = ++group->barriers;
    int home = skerry_member(group, 0);
    skerry_word before = skerry_atomic_count(&group->area->arrived.value, 1, home);
    if (before + 1 == epoch * (unsigned)group->size) {
        if (finish) finish(argument);
        skerry_store_release(&group->area->released.value, epoch, home);
        return;
    }
    const skerry_word *word = skerry_global(&group->area->released.value, home);
    SKERRY_WAIT_UNTIL(skerry_reached(word, epoch), home);
}

// Few members that all run: one word, counted up by those who come and polled by all. One hand-over of a line fewer than
// flags take (bench/limits/barrier_spin.c).
static void barrier_counter(struct skerry_group *group) {
    skerry_word all = ++group->barriers * (unsigned)group->size;
    int home = skerry_member(group, 0);
    if (skerry_atomic_count_and_wake(&group->area->arrived.value, 1, home) + 1 >= all) return;
    const skerry_word *word = skerry_global(&group->area->arrived.value, home);
    SKERRY_WAIT_UNTIL(skerry_reached(word, all), home);
}

// Adds to a word of the work array, whose elements are as wide as a long.
static void work_word_add(long *word, long value, int pe) {
    if (sizeof(long) == 8) skerry_atomic_add_64(word, (uint64_t)value, pe);
    else skerry_atomic_add_32(word, (uint32_t)value, pe);
}

// Word r counts signals of round r that were not consumed. One member signals it, one consumes it: the count is 0, 1,
// or 2 when the signaller is a barrier ahead, and 0 again when all have left. Both sides add, so neither loses the other's.
static void barrier_counting(struct skerry_group *group) {
    int round = 0;
    for (int distance = 1; distance < group->size; distance *= 2, round++) {
        int to = skerry_wrapped(group->rank + distance, group->size);
        long *word = &group->work_array[round];
        work_word_add(word, 1, skerry_member(group, to));
        SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(word) > 0, skerry_my_pe());
        work_word_add(word, -1, skerry_my_pe());
    }
}

// Dissemination with all addresses known beforehand; the words as in skerry_barrier_own_words. When barrier e begins, a
// word is e - 1, or has been changed already: it is enough to see that.
void skerry_barrier_of_partners(struct skerry_group *group) {
    skerry_word before = group->barriers++;
    const skerry_word *next = group->rounds;
    skerry_word *const *partners = group->partners;
    skerry_word *partner = *partners++;
    if (!partner) return;
    do {
        __atomic_store_n(partner, before + 1, __ATOMIC_RELEASE);
        const skerry_word *word = next++;
        partner = *partners++; // while the signal travels
        while (SKERRY_LOAD_ACQUIRE(word) == before) continue;
    } while (partner);
}

void skerry_barrier(struct skerry_group *group) {
    if (SKERRY_HARDWARE_BARRIER && group->by_hardware) skerry_hardware_barrier();
    else if (SKERRY_CHANNELS) skerry_barrier_of_partners(group);
    else if (group->size == 1) return;
    else if (!group->area) barrier_counting(group);
    else if (skerry_is_oversubscribed()) skerry_barrier_with(group, 0, 0);
    else if (group->size <= SKERRY_COUNTER_BARRIER_MEMBERS) barrier_counter(group);
    else skerry_barrier_own_words(group);
}
