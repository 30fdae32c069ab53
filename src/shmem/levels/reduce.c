// SPDX-License-Identifier: BSD-3-Clause
// Implements reductions of groups with members on several nodes, in three steps:
// 1. The members of a node combine their operands as in a group on one node.
// 2. The nodes combine their results.
// 3. Each member copies the final result from the memory of its node's leader (the first member on the node).
// Large operands are combined by parts (Rabenseifner 2004), so that each node sends and receives as few bytes as
// possible. Each node fetches one part of the results of all nodes, combines it, and stores it in the destinations of
// all leaders. The members of a node share this work.
#include "nodes.h"

// Largest number of members of a node for which one PE combines all operands. For more members a tree is faster if each
// has a processor.
#define FEW_MEMBERS 8
#define WINDOW 8 // number of buffers of a PE: one for the sum, the others for elements that it fetches at the same time

// -- Small operands ----------------------------------------------------------------------------------------------------

struct small_reduction {
    struct skerry_group *group;
    skerry_word sequence; // of the exchange inside the node
    size_t count, size;
    skerry_combine combine;
};

static void *at_leader(const struct skerry_group *group, void *symmetric) {
    return skerry_global(symmetric, group->levels->node.start);
}

static void *result_of(const struct small_reduction *small) {
    return at_leader(small->group, small->group->area->result[small->sequence & 1].payload);
}

static void finish_small(void *argument) {
    const struct small_reduction *small = argument;
    const struct skerry_group *node = &small->group->levels->node;
    const struct skerry_cell *cells = at_leader(small->group, skerry_cell_of(node, 0, small->sequence));
    void *result = result_of(small);
    skerry_copy(result, cells[0].payload, small->count * small->size);
    for (int i = 1; i < node->size; i++) small->combine(result, cells[i].payload, small->count);
    skerry_nodes_reduce(small->group, result, small->count, small->size, small->combine);
}

// Reduces small operands. Each member stores its operand in the memory of its node's leader (its first member). One
// member of the node then combines the operands of the node, and takes part in the reduction among the nodes.
static void reduce_by_deposit(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                              skerry_combine combine) {
    struct skerry_group *node = &group->levels->node;
    struct small_reduction small = {group, ++node->exchanges, count, size, combine};
    skerry_copy(at_leader(group, skerry_cell_of(node, node->rank, small.sequence)->payload), source, count * size);
    skerry_node_rendezvous(group, finish_small, &small);
    skerry_copy(dest, result_of(&small), count * size);
}

static void reduce_by_tree(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                           skerry_combine combine) {
    struct skerry_group *node = &group->levels->node;
    _Alignas(16) char value[SKERRY_CELL_BYTES];
    skerry_reduce(node, value, source, count, size, combine);
    if (node->rank == 0) skerry_nodes_reduce(group, value, count, size, combine);
    skerry_broadcast(node, value, value, count * size, 0, false);
    skerry_copy(dest, value, count * size);
}

// -- Large operands ----------------------------------------------------------------------------------------------------

// A range of elements of the arrays: from index `begin` to index `end` - 1.
struct part {
    size_t begin, end;
};

// Divides the range `run` into one part for each of `owners` owners, and returns the part of owner `index`. Each part
// is an equal share of the range, rounded up to whole cache lines. The last parts can be smaller or empty.
static struct part part_of(struct part run, size_t size, int index, int owners) {
    const size_t line = size >= SKERRY_LINE ? 1 : SKERRY_LINE / size, count = run.end - run.begin;
    const size_t share = ((count + (unsigned)owners - 1) / (unsigned)owners + line - 1) / line * line;
    const size_t begin = share * (unsigned)index < count ? share * (unsigned)index : count;
    return (struct part){run.begin + begin, run.begin + (begin + share < count ? begin + share : count)};
}

// Combines this member's part of the sources of its node, and stores the result in the leader's `dest`. Only this
// member accesses this part of the node's arrays, so `dest` can be `source`.
static void combine_in_node(struct skerry_group *group, char *dest, const char *source, struct part part, size_t size,
                            skerry_combine combine) {
    const struct skerry_group *node = &group->levels->node;
    _Alignas(SKERRY_LINE) char accumulate[SKERRY_CHUNK_BYTES];
    const size_t most = SKERRY_CHUNK_BYTES / size;
    for (size_t at = part.begin; at < part.end; at += most) {
        const size_t count = part.end - at < most ? part.end - at : most;
        skerry_copy(accumulate, skerry_global(source + at * size, node->start), count * size);
        for (int i = 1; i < node->size; i++)
            combine(accumulate, skerry_global(source + at * size, skerry_member(node, i)), count);
        skerry_copy(skerry_global(dest + at * size, node->start), accumulate, count * size);
    }
}

// Combines `count` elements at address `array` of all leaders, in the order of nodes. Stores the result at `array` of
// all leaders. Only this PE accesses these elements. `buffers` has space for `window` times `count` elements: first the
// sum, then the elements that this PE fetches at the same time.
static void combine_chunk(struct skerry_group *group, char *array, size_t count, size_t size, skerry_combine combine,
                          char *buffers, int window) {
    const int nodes = group->levels->nodes;
    const size_t bytes = count * size;
    for (int first = 0; first < nodes; first += window - 1) {
        const int fetched = nodes - first < window - 1 ? nodes - first : window - 1;
        for (int i = 0; i < fetched; i++)
            skerry_get_nbi(buffers + (unsigned)(i + 1) * bytes, array, bytes, skerry_leader_pe(group, first + i));
        skerry_quiet();
        for (int i = 0; i < fetched; i++) {
            const char *operand = buffers + (unsigned)(i + 1) * bytes;
            if (first + i == 0) skerry_copy(buffers, operand, bytes);
            else combine(buffers, operand, count);
        }
    }
    for (int i = 0; i < nodes; i++) {
        const int to = skerry_wrapped(group->levels->index + i, nodes);
        skerry_copy_to(array, buffers, bytes, skerry_leader_pe(group, to));
    }
}

// Executes combine_chunk for each chunk of a part. The buffers are the scratch memory (for data from other nodes) of
// this PE's area, if the group has an area. Between the two barriers around this function no message with payload is in
// transit, so the scratch memory is free.
static void combine_part(struct skerry_group *group, char *array, struct part part, size_t size,
                         skerry_combine combine) {
    _Alignas(SKERRY_LINE) char few[2 * SKERRY_CHUNK_BYTES];
    char *buffers = few;
    size_t room = sizeof few;
    if (group->area) {
        buffers = skerry_global(skerry_node_area_of(group)->scratch, skerry_my_pe());
        room = sizeof skerry_node_area_of(group)->scratch;
    }
    const int nodes = group->levels->nodes;
    const int window = !group->area ? 2 : nodes + 1 < WINDOW ? nodes + 1 : WINDOW;
    const size_t most = room / (unsigned)window / SKERRY_LINE * SKERRY_LINE / size;
    for (size_t at = part.begin; at < part.end; at += most)
        combine_chunk(group, array + at * size, part.end - at < most ? part.end - at : most, size, combine, buffers,
                      window);
}

struct large_reduction {
    struct skerry_group *group;
    void *value;
    size_t count, size;
    skerry_combine combine;
};

static void finish_large(void *argument) {
    const struct large_reduction *large = argument;
    skerry_nodes_reduce(large->group, large->value, large->count, large->size, large->combine);
}

static void reduce_large(struct skerry_group *group, char *dest, const char *source, size_t count, size_t size,
                         skerry_combine combine) {
    struct skerry_group *node = &group->levels->node;
    const struct part all = {0, count};
    char *leader_dest = at_leader(group, dest);
    skerry_barrier(node); // after the barrier the source of every member of the node is ready
    combine_in_node(group, dest, source, part_of(all, size, node->rank, node->size), size, combine);
    if (group->area && skerry_nodes_can_reduce(group, count * size)) {
        struct large_reduction large = {group, leader_dest, count, size, combine};
        group->levels->exchanges++;
        skerry_node_rendezvous(group, finish_large, &large);
    } else {
        skerry_barrier(group); // after the barrier the result of every node is ready
        const struct part of_node = part_of(all, size, group->levels->index, group->levels->nodes);
        combine_part(group, dest, part_of(of_node, size, node->rank, node->size), size, combine);
        skerry_barrier(group);
    }
    if (node->rank > 0) skerry_copy(dest, leader_dest, count * size);
    skerry_barrier(node); // after the barrier no member reads the leader's destination any more
}

void skerry_reduce_levels(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                          skerry_combine combine) {
    const struct skerry_group *node = &group->levels->node;
    if (!group->area || count * size > SKERRY_CELL_BYTES) {
        reduce_large(group, dest, source, count, size, combine);
        return;
    }
    group->levels->exchanges++;
    if (skerry_is_oversubscribed() || node->size <= FEW_MEMBERS)
        reduce_by_deposit(group, dest, source, count, size, combine);
    else reduce_by_tree(group, dest, source, count, size, combine);
}
