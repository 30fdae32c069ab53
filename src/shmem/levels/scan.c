// SPDX-License-Identifier: BSD-3-Clause
// Implements prefix sums of teams with members on several nodes. The elements are processed in chunks that fit the
// scratch memory (a node's memory for received data). For each chunk:
// 1. The members of a node compute the prefix sums inside their node.
// 2. The nodes compute, for each node, the sum of all nodes before it.
// 3. Each member adds this sum to its result.
#include "nodes.h"

struct scan {
    struct skerry_group *group;
    size_t count; // elements of this chunk
    size_t size;
    skerry_combine combine;
};

// Computes the prefix sums inside a node of `count` elements, and stores the sum over all members of the node at
// `total`. Only this member accesses these elements during the call. This member copies each operand before it stores
// to `dest`, so `dest` can be `source`.
static void scan_in_node(const struct skerry_group *node, char *dest, const char *source, char *total, size_t count,
                         size_t size, skerry_combine combine, bool exclusive) {
    _Alignas(SKERRY_LINE) char sum[SKERRY_CHUNK_BYTES];
    _Alignas(SKERRY_LINE) char operand[SKERRY_CHUNK_BYTES];
    const size_t bytes = count * size;
    __builtin_memset(sum, 0, bytes);
    for (int i = 0; i < node->size; i++) {
        const int pe = skerry_member(node, i);
        skerry_copy(operand, skerry_global(source, pe), bytes);
        if (exclusive) skerry_copy(skerry_global(dest, pe), sum, bytes);
        combine(sum, operand, count);
        if (!exclusive) skerry_copy(skerry_global(dest, pe), sum, bytes);
    }
    skerry_copy(total, sum, bytes);
}

static void scan_nodes(void *argument) {
    const struct scan *scan = argument;
    skerry_nodes_scan(scan->group, scan->count, scan->size, scan->combine);
}

static void scan_chunk(struct skerry_group *group, char *dest, const char *source, size_t count, size_t size,
                       skerry_combine combine, bool exclusive) {
    const struct skerry_group *node = &group->levels->node;
    const struct skerry_nodes_scan memory = skerry_nodes_scan_memory(group, ++group->levels->exchanges);
    const size_t line = size >= SKERRY_LINE ? 1 : SKERRY_LINE / size;
    const size_t slice = ((count + (unsigned)node->size - 1) / (unsigned)node->size + line - 1) / line * line;
    const size_t begin = slice * (unsigned)node->rank, end = begin + slice < count ? begin + slice : count;
    const size_t most = SKERRY_CHUNK_BYTES / size;
    for (size_t at = begin; at < end; at += most)
        scan_in_node(node, dest + at * size, source + at * size, (char *)memory.own + at * size,
                     end - at < most ? end - at : most, size, combine, exclusive);
    struct scan scan = {group, count, size, combine};
    skerry_node_rendezvous(group, scan_nodes, &scan);
    if (group->levels->index > 0) combine(dest, memory.before, count);
}

void skerry_scan_levels(struct skerry_group *group, char *dest, const char *source, size_t count, size_t size,
                        skerry_combine combine, bool exclusive) {
    skerry_barrier(&group->levels->node); // after the barrier the source of every member of the node is ready
    const size_t most = skerry_nodes_scan_bytes(group) / size;
    size_t at = 0;
    do {
        const size_t chunk = count - at < most ? count - at : most;
        scan_chunk(group, dest + at * size, source + at * size, chunk, size, combine, exclusive);
        at += chunk;
    } while (at < count);
}
