// SPDX-License-Identifier: BSD-3-Clause
// Implements the all-to-all exchange of groups with members on several nodes. Every member puts each of its blocks at
// the block's final place. The network sends small blocks from one PE to one node together, in one message. No member
// waits for an acknowledgement:
// - A member sends a signal to each other node after its last block for that node.
// - The exchange is complete on a node when the signals of all members of other nodes have arrived there.
#include "nodes.h"

// Ends an exchange after this member has put all its blocks: waits for the signals of the members of other nodes. A
// group without an area (an active set) has no words for these signals, and executes a barrier instead.
static void end_exchange(struct skerry_group *group) {
    if (group->area) skerry_node_rendezvous(group, skerry_nodes_await_count, group);
    else skerry_barrier(group);
}

static void begin_exchange(struct skerry_group *group) {
    if (group->area) skerry_nodes_count(group, (unsigned)(group->size - group->levels->node.size));
}

// Calls put(call, rank) for every member: first for the members of the next node, last for the members of this node.
static void put_to_all(struct skerry_group *group, void (*put)(const void *call, int rank), const void *call) {
    const struct skerry_levels *levels = group->levels;
    begin_exchange(group);
    for (int i = 1; i <= levels->nodes; i++) {
        const int node = skerry_wrapped(levels->index + i, levels->nodes);
        const int first = skerry_node_leader(group, node), members = skerry_node_leader(group, node + 1) - first;
        // The members of this node begin with different members of the other node. So they do not send to the same PE
        // at the same time.
        for (int j = 0; j < members; j++) put(call, first + (j + levels->node.rank) % members);
        if (group->area && node != levels->index) skerry_nodes_signal(group, node);
    }
    end_exchange(group);
}

struct alltoall {
    const struct skerry_group *group;
    char *mine; // place of this member's block in each result
    const char *source;
    size_t bytes;
};

static void put_block(const void *argument, int rank) {
    const struct alltoall *call = argument;
    skerry_copy_to(call->mine, call->source + (unsigned)rank * call->bytes, call->bytes,
                   skerry_member(call->group, rank));
}

void skerry_alltoall_levels(struct skerry_group *group, char *dest, const char *source, size_t bytes) {
    const struct alltoall call = {group, dest + (unsigned)group->rank * bytes, source, bytes};
    put_to_all(group, put_block, &call);
}

struct alltoalls {
    const struct skerry_group *group;
    char *mine;
    const char *source;
    ptrdiff_t dest_stride, source_stride; // in bytes
    size_t size, count;
};

static void put_strided_block(const void *argument, int rank) {
    const struct alltoalls *call = argument;
    const char *block = call->source + (ptrdiff_t)call->count * rank * call->source_stride;
    skerry_put_strided(call->mine, block, call->dest_stride, call->source_stride, call->size, call->count,
                       skerry_member(call->group, rank));
}

void skerry_alltoalls_levels(struct skerry_group *group, char *dest, const char *source, ptrdiff_t dest_stride,
                             ptrdiff_t source_stride, size_t size, size_t count) {
    const ptrdiff_t step = (ptrdiff_t)size;
    const struct alltoalls call = {group,
                                   dest + (ptrdiff_t)count * group->rank * dest_stride * step,
                                   source,
                                   dest_stride * step,
                                   source_stride * step,
                                   size,
                                   count};
    put_to_all(group, put_strided_block, &call);
}
