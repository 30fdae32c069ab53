// SPDX-License-Identifier: BSD-3-Clause
// A barrier of workers by counters in hardware (Tendulkar et al. 2011), for machines with SKERRY_EVENTS. Each worker adds 1 to
// a counter. A counter that becomes zero adds 1 to the counter above it. The counter at the top notifies the workers: it
// stores 1 to a flag of each, directly or through counters that each notify SKERRY_EVENT_TARGETS others. So a barrier of n
// workers takes log4(n) steps up and as many down, without an instruction between the steps. Counters arm themselves again.
//
// A worker's flag belongs to the counters from the worker's arrival until it becomes 1, and to the worker otherwise. The
// worker sets the flag to 0 before it arrives at the next barrier. So one flag is enough: the counters cannot become zero
// again before all workers have arrived again.
#ifndef SKERRY_PRIMITIVE_COUNTER_TREE_H
#define SKERRY_PRIMITIVE_COUNTER_TREE_H

#include "wait.h"

#if SKERRY_EVENTS

#define SKERRY_TREE_LEVELS 4
#define SKERRY_TREE_WORKERS_MAX 64

// A worker of a tree: its number, its flag, and the counter to which it adds.
struct skerry_tree_worker {
    int number;
    uint32_t *flag;
    struct skerry_event_counter *arrival;
};

// The counters of levels 1 and up, first those for arrivals, then those for notifications. The top has only the first.
struct skerry_counter_tree {
    uint32_t levels, counters;
    uint32_t sizes[SKERRY_TREE_LEVELS]; // number of workers, and of counters of each further level
    struct skerry_event_counter *counter[];
};

SKERRY_ALWAYS_INLINE uint32_t skerry_tree_minimum(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// Makes counter `number` of a level notify what is below it: counters, or on the lowest level flags of workers.
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

// Makes the tree of `count` workers, whose flags are 0, and stores the counter to which each of them has to add. Returns NULL
// if there are too many workers, or no counters or memory left. The caller makes the tree visible to the workers.
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

// Arrives at the barrier: adds 1 to the worker's counter. A worker that passes the barrier sees what this worker has stored.
SKERRY_ALWAYS_INLINE void skerry_counter_tree_arrive(struct skerry_event_counter *arrival) {
    skerry_complete_stores();
    skerry_event_counter_add(arrival, 1);
}

// Returns a value other than 0 if all workers have arrived. The caller then sets its flag to 0. The load is an acquire.
SKERRY_ALWAYS_INLINE uint32_t skerry_counter_tree_is_complete(const uint32_t *flag) {
    return SKERRY_LOAD_ACQUIRE(flag);
}

#endif

#endif
