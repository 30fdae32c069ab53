// SPDX-License-Identifier: BSD-3-Clause
// Defines a sum of workers by a tree of counters in hardware, for machines with SKERRY_EVENTS. Additions of many workers
// to one counter arrive one after the other. So workers in groups add to a counter of their group. When all of them have
// added 1, this counter adds the number of the group's workers to the counter of the next level, and at last to the root.
// The hardware then sets the counter to its initial value again.
#ifndef SKERRY_PRIMITIVE_COUNTER_TREE_H
#define SKERRY_PRIMITIVE_COUNTER_TREE_H

#include "wait.h"

#if SKERRY_EVENTS

// So many workers add to the root directly, which is faster than a level of counters between.
#define SKERRY_SUM_DIRECT 8

// So many workers have one level of counters between them and the root. The last ones of them add to the root directly,
// because they begin last: their region's descriptors are sent last. The way through another counter takes longer.
#define SKERRY_SUM_ONE_LEVEL 16
#define SKERRY_SUM_LAST 4

// A worker of a tree: its number, and the counter to which it adds 1.
struct skerry_tree_worker {
    int number;
    struct skerry_event_counter *arrival;
};

SKERRY_ALWAYS_INLINE uint32_t skerry_tree_minimum(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// The counters between workers and root.
struct skerry_counter_sum {
    uint32_t counters;
    struct skerry_event_counter *counter[];
};

SKERRY_ALWAYS_INLINE void skerry_counter_sum_free(struct skerry_counter_sum *sum) {
    if (!sum) return;
    for (uint32_t i = 0; i < sum->counters; i++) skerry_event_counter_give(sum->counter[i]);
    skerry_memory_give(sum);
}

// Makes the counters by which `count` workers add to `root`. Stores in `arrival` of each worker the counter to which
// this worker must add 1. If there are few workers, or if counters or memory are missing, this is the root for all
// workers, and the function returns NULL. So it is if the counters of the machine send nothing (SKERRY_EVENT_TARGETS is 0).
// The caller must make the counters visible to the workers.
__attribute__((unused)) static SKERRY_COLD struct skerry_counter_sum *
skerry_counter_sum_new(uint32_t count, struct skerry_tree_worker *workers, struct skerry_event_counter *root) {
    for (uint32_t i = 0; i < count; i++) workers[i].arrival = root;
#if SKERRY_EVENT_TARGETS
    if (count <= SKERRY_SUM_DIRECT) return NULL;
    if (count <= SKERRY_SUM_ONE_LEVEL) count -= SKERRY_SUM_LAST;
    uint32_t group = 2; // most workers, or counters, that add to one counter: such that two levels are enough
    while (group * group < count) group++;
    struct skerry_counter_sum *sum =
        (struct skerry_counter_sum *)skerry_memory_take(sizeof *sum + count * sizeof sum->counter[0], sizeof(void *));
    if (!sum) return NULL;
    sum->counters = 0;
    // The first counter of the level below, and the number of its elements; on the lowest level these are workers.
    uint32_t below = 0, size = count;
    for (uint32_t spread = group; size > group; spread *= group) {
        const uint32_t first = sum->counters, groups = (size + group - 1) / group;
        for (uint32_t i = 0; i < groups; i++) {
            struct skerry_event_counter *counter = skerry_event_counter_take(workers[i * spread].number);
            if (!counter) {
                skerry_counter_sum_free(sum);
                for (uint32_t j = 0; j < count; j++) workers[j].arrival = root;
                return NULL;
            }
            sum->counter[sum->counters++] = counter;
            const uint32_t members = skerry_tree_minimum(spread, count - i * spread);
            skerry_event_counter_begin(counter, 0 - members);
            skerry_event_counter_notify(counter, 0, skerry_event_counter_target(root), members);
            for (uint32_t j = i * group; j < size && j < (i + 1) * group; j++) {
                if (spread == group) workers[j].arrival = counter;
                else {
                    const uint32_t all = skerry_tree_minimum(spread / group, count - j * (spread / group));
                    skerry_event_counter_notify(sum->counter[below + j], 0, skerry_event_counter_target(counter), all);
                }
            }
        }
        below = first;
        size = groups;
    }
    return sum;
#else
    return NULL;
#endif
}

#endif

#endif
