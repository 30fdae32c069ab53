// SPDX-License-Identifier: BSD-3-Clause
// Defines a barrier of workers that uses a tree of counters in hardware (Tendulkar et al. 2011), and a sum of workers by
// such a tree, for machines with SKERRY_EVENTS. Each counter has up to SKERRY_EVENT_TARGETS targets. With 4 targets, a barrier of n workers takes
// log4(n) steps up the tree and as many steps down:
// 1. Each worker adds 1 to a counter of the lowest level.
// 2. A counter that becomes zero adds 1 to a counter of the next level. The hardware then sets the counter to its
//    initial value again, for the next barrier.
// 3. The counter of the highest level stores 1 to a flag of each worker, directly or through further counters.
//
// Who owns a worker's flag: the counters, from the worker's arrival until the flag becomes 1; else the worker. The
// worker sets the flag to 0 before it arrives again. One flag is enough, because the counters cannot become zero again
// before all workers have arrived again.
#ifndef SKERRY_PRIMITIVE_COUNTER_TREE_H
#define SKERRY_PRIMITIVE_COUNTER_TREE_H

#include "wait.h"

#if SKERRY_EVENTS

#define SKERRY_TREE_LEVELS 4
#define SKERRY_TREE_WORKERS_MAX 64

// A worker of a tree: its number, its flag, and the counter to which it adds 1 when it arrives.
struct skerry_tree_worker {
    int number;
    uint32_t *flag;
    struct skerry_event_counter *arrival;
};

// The counters of a tree, from level 1 (the lowest) on. Each level first has its counters for arrivals, and then its
// counters for notifications. The only counter of the highest level does both.
struct skerry_counter_tree {
    uint32_t levels, counters;
    uint32_t sizes[SKERRY_TREE_LEVELS]; // number of workers, and of counters of each further level
    struct skerry_event_counter *counter[];
};

SKERRY_ALWAYS_INLINE uint32_t skerry_tree_minimum(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// Makes the counter `from`, number `number` of level `level`, notify its part of the level below. These targets are
// counters for notifications, or on level 1 the flags of workers.
static SKERRY_COLD void skerry_tree_notify_below(struct skerry_counter_tree *tree, struct skerry_event_counter *from,
                                                 struct skerry_event_counter **below,
                                                 const struct skerry_tree_worker *workers, uint32_t level,
                                                 uint32_t number) {
    const uint32_t first = number * SKERRY_EVENT_TARGETS;
    const uint32_t count = skerry_tree_minimum(SKERRY_EVENT_TARGETS, tree->sizes[level - 1] - first);
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t *to = below ? skerry_event_counter_target(below[i]) : workers[i].flag;
        skerry_event_counter_notify(from, i - first, to, 1);
    }
}

SKERRY_ALWAYS_INLINE void skerry_counter_tree_free(struct skerry_counter_tree *tree) {
    if (!tree) return;
    for (uint32_t i = 0; i < tree->counters; i++) skerry_event_counter_give(tree->counter[i]);
    skerry_memory_give(tree);
}

// Makes a tree for `count` workers, whose flags must be 0. Stores in `arrival` of each worker the counter to which this
// worker must add 1 when it arrives. Returns NULL if there are too many workers, or not enough free counters or memory.
// The caller must make the tree visible to the workers before they use it.
__attribute__((unused)) static SKERRY_COLD struct skerry_counter_tree *
skerry_counter_tree_new(uint32_t count, struct skerry_tree_worker *workers) {
    if (count < 2 || count > SKERRY_TREE_WORKERS_MAX) return NULL;
    struct skerry_counter_tree *tree = (struct skerry_counter_tree *)skerry_memory_take(
        sizeof *tree + 2 * count * sizeof tree->counter[0], sizeof(void *));
    if (!tree) return NULL;
    tree->levels = tree->counters = 0;
    uint32_t firsts[2][SKERRY_TREE_LEVELS]; // of a level's counters for arrivals, and for notifications
    uint32_t size = tree->sizes[0] = count, spread = 1;
    while (size > 1) {
        size = (size + SKERRY_EVENT_TARGETS - 1) / SKERRY_EVENT_TARGETS;
        spread *= SKERRY_EVENT_TARGETS; // number of workers below a counter of this level
        const uint32_t level = ++tree->levels;
        tree->sizes[level] = size;
        for (uint32_t kind = 0; kind < (size > 1 ? 2u : 1u); kind++) {
            firsts[kind][level] = tree->counters;
            for (uint32_t i = 0; i < size; i++) {
                struct skerry_event_counter *counter = skerry_event_counter_take(workers[i * spread].number);
                if (!counter) {
                    skerry_counter_tree_free(tree);
                    return NULL;
                }
                const uint32_t below = tree->sizes[level - 1] - i * SKERRY_EVENT_TARGETS;
                skerry_event_counter_begin(counter, 0 - (kind ? 1 : skerry_tree_minimum(SKERRY_EVENT_TARGETS, below)));
                tree->counter[tree->counters++] = counter;
            }
        }
    }
    struct skerry_event_counter **up = tree->counter;
    for (uint32_t level = 1; level <= tree->levels; level++) {
        struct skerry_event_counter **below = level > 1 ? &tree->counter[firsts[1][level - 1]] : NULL;
        up = &tree->counter[firsts[0][level]];
        for (uint32_t i = 0; i < tree->sizes[level]; i++) {
            if (level == tree->levels) {
                skerry_tree_notify_below(tree, up[i], below, workers, level, i);
                continue;
            }
            struct skerry_event_counter *above = tree->counter[firsts[0][level + 1] + i / SKERRY_EVENT_TARGETS];
            skerry_event_counter_notify(up[i], 0, skerry_event_counter_target(above), 1);
            skerry_tree_notify_below(tree, tree->counter[firsts[1][level] + i], below, workers, level, i);
        }
    }
    for (uint32_t i = 0; i < count; i++) workers[i].arrival = tree->counter[i / SKERRY_EVENT_TARGETS];
    return tree;
}

// -- A sum by a tree of counters ---------------------------------------------------------------------------------------

// Additions of many workers to one counter arrive one after the other. So workers in groups add to a counter of their
// group. When all of them have added 1, this counter adds the number of the group's workers to the counter of the next
// level, and at last to the root.
#define SKERRY_SUM_GROUP 8

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
// this worker must add 1. If there is one group only, or if counters or memory are missing, this is the root for all
// workers, and the function returns NULL. The caller must make the counters visible to the workers.
__attribute__((unused)) static SKERRY_COLD struct skerry_counter_sum *
skerry_counter_sum_new(uint32_t count, struct skerry_tree_worker *workers, struct skerry_event_counter *root) {
    for (uint32_t i = 0; i < count; i++) workers[i].arrival = root;
    if (count <= SKERRY_SUM_GROUP) return NULL;
    struct skerry_counter_sum *sum =
        (struct skerry_counter_sum *)skerry_memory_take(sizeof *sum + count * sizeof sum->counter[0], sizeof(void *));
    if (!sum) return NULL;
    sum->counters = 0;
    // The first counter of the level below, and the number of its elements; on the lowest level these are workers.
    uint32_t below = 0, size = count;
    for (uint32_t spread = SKERRY_SUM_GROUP; size > SKERRY_SUM_GROUP; spread *= SKERRY_SUM_GROUP) {
        const uint32_t first = sum->counters, groups = (size + SKERRY_SUM_GROUP - 1) / SKERRY_SUM_GROUP;
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
            for (uint32_t j = i * SKERRY_SUM_GROUP; j < size && j < (i + 1) * SKERRY_SUM_GROUP; j++) {
                if (spread == SKERRY_SUM_GROUP) workers[j].arrival = counter;
                else {
                    const uint32_t all =
                        skerry_tree_minimum(spread / SKERRY_SUM_GROUP, count - j * (spread / SKERRY_SUM_GROUP));
                    skerry_event_counter_notify(sum->counter[below + j], 0, skerry_event_counter_target(counter), all);
                }
            }
        }
        below = first;
        size = groups;
    }
    return sum;
}

// -- Barrier -----------------------------------------------------------------------------------------------------------

// Arrives at the barrier: adds 1 to the calling worker's counter. Every worker that has left the barrier sees
// everything that the calling worker stored before.
SKERRY_ALWAYS_INLINE void skerry_counter_tree_arrive(struct skerry_event_counter *arrival) {
    skerry_complete_stores();
    skerry_event_counter_add(arrival, 1);
}

// Returns a value other than 0 if all workers have arrived. If so, the caller must set its flag to 0 before its next
// arrival. The load is an acquire.
SKERRY_ALWAYS_INLINE uint32_t skerry_counter_tree_is_complete(const uint32_t *flag) {
    return SKERRY_LOAD_ACQUIRE(flag);
}

#endif

#endif
