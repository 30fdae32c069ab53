// SPDX-License-Identifier: BSD-3-Clause
// Implements collect and fcollect of groups with members on several nodes. The first member on a node is its leader.
// Each block arrives at a node only once:
// 1. The members of a node store their blocks at the blocks' final places in the leader's result. These blocks are
//    contiguous there.
// 2. The nodes exchange the blocks of a node as one part.
// 3. Each member copies the whole result from its leader.
#include "nodes.h"

#define WORK_ARRAY_SIZE_AT (SKERRY_SYNC_ELEMENTS - 1) // index in an active set's work array of the size of a block

// Copies the complete result from the memory of this node's leader (its first member). The leader itself copies
// nothing. Then executes a barrier, after which the leader is allowed to change its result.
static void copy_from_leader(struct skerry_group *group, char *dest, size_t bytes) {
    struct skerry_group *node = &group->levels->node;
    if (node->rank > 0) skerry_copy(dest, skerry_global(dest, node->start), bytes);
    skerry_barrier(node);
}

// -- fcollect ----------------------------------------------------------------------------------------------------------

struct fcollect {
    struct skerry_group *group;
    char *dest;   // of this node's leader
    size_t bytes; // of a block
};

// Returns the offset in bytes of a node's part of the result. The part consists of the blocks of the node's members.
static size_t place_of(const struct fcollect *call, int node) {
    return (unsigned)skerry_node_leader(call->group, node) * call->bytes;
}

// Sends the parts of the result of nodes `from` to `to` - 1 to node `receiver`. The parts are message number `flag` of
// this exchange. A node's part of the result consists of the blocks of its members.
static void send_parts(const struct fcollect *call, int flag, int receiver, int from, int to) {
    const size_t begin = place_of(call, from), end = place_of(call, to);
    skerry_node_send(call->group, call->group->levels->exchanges, flag, receiver, call->dest + begin,
                     call->dest + begin, end - begin);
}

// Exchanges the parts of all nodes in rounds (Bruck and others 1997). When a round begins, a node has the parts of
// `held` nodes: its own part, and the parts of the nodes after it. The node sends these parts to the node `held` places
// before it, in one or two messages: the parts are contiguous in the result, except where part 0 follows the last part.
static void exchange_parts(void *argument) {
    const struct fcollect *call = argument;
    struct skerry_group *group = call->group;
    const int nodes = group->levels->nodes, index = group->levels->index;
    const skerry_word exchange = group->levels->exchanges;
    for (int held = 1, flag = 0; held < nodes; flag += 2) {
        const int more = held < nodes - held ? held : nodes - held;
        const int receiver = skerry_wrapped(index - held + nodes, nodes);
        const int end = index + more < nodes ? index + more : nodes;
        send_parts(call, flag, receiver, index, end);
        if (index + more > nodes) send_parts(call, flag + 1, receiver, 0, index + more - nodes);
        const int sender = skerry_wrapped(index + held, nodes);
        skerry_node_await(group, exchange, flag);
        if (sender + more > nodes) skerry_node_await(group, exchange, flag + 1);
        held += more;
    }
}

// Exchanges the parts of all nodes in a group without an area (an active set). Each leader (first member on a node)
// puts the blocks of its node's members to each other leader.
static void put_parts(const struct fcollect *call) {
    struct skerry_group *group = call->group;
    const struct skerry_levels *levels = group->levels;
    skerry_barrier(&group->levels->node);
    const size_t begin = place_of(call, levels->index), bytes = place_of(call, levels->index + 1) - begin;
    for (int i = 1; levels->node.rank == 0 && i < levels->nodes; i++) {
        const int to = skerry_wrapped(levels->index + i, levels->nodes);
        skerry_copy_to(call->dest + begin, call->dest + begin, bytes, skerry_leader_pe(group, to));
    }
    skerry_barrier(group);
}

void skerry_fcollect_levels(struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    struct fcollect call = {group, skerry_global(dest, group->levels->node.start), bytes};
    skerry_copy_unless_same(call.dest + (unsigned)group->rank * bytes, skerry_global(source, skerry_my_pe()), bytes);
    if (group->area) {
        group->levels->exchanges++;
        skerry_node_rendezvous(group, exchange_parts, &call);
    } else {
        put_parts(&call);
    }
    copy_from_leader(group, dest, (unsigned)group->size * bytes);
}

// -- collect -----------------------------------------------------------------------------------------------------------

static void add_words(void *accumulate, const void *operand, size_t count) {
    uint64_t *sum = accumulate;
    const uint64_t *other = operand;
    for (size_t i = 0; i < count; i++) sum[i] += other[i];
}

struct collect {
    struct skerry_group *group;
    skerry_word sequence;  // of the exchange inside the node
    char *dest;            // of this node's leader
    uint64_t begin, bytes; // of this node's part of the result
};

// Two sums of block sizes in bytes. One member of a node stores the sums in the memory of the node's first member
// (add_sizes). Then all members of the node read them.
struct sums {
    uint64_t before; // the size of all nodes before this one
    uint64_t all;    // the size of all nodes
};

static struct sums *sums_of(const struct collect *call) {
    return skerry_global(call->group->area->result[call->sequence & 1].payload, call->group->levels->node.start);
}

static uint64_t size_in(const struct skerry_cell *cell) {
    uint64_t size;
    __builtin_memcpy(&size, cell->payload, sizeof size);
    return size;
}

static const struct skerry_cell *sizes_of(const struct collect *call) {
    const struct skerry_group *node = &call->group->levels->node;
    return skerry_global(skerry_cell_of(node, 0, call->sequence), node->start);
}

// Adds the sizes of the blocks of all nodes, and of the nodes before this one. One member of each node executes this
// function. The function takes two exchanges between nodes: the scan has the first number, and the reduction the
// second. Every member has already counted both in `exchanges`.
static void add_sizes(void *argument) {
    const struct collect *call = argument;
    struct skerry_group *group = call->group;
    const struct skerry_cell *sizes = sizes_of(call);
    uint64_t own = 0;
    for (int i = 0; i < group->levels->node.size; i++) own += size_in(&sizes[i]);
    group->levels->exchanges--;
    const struct skerry_nodes_scan scan = skerry_nodes_scan_memory(group, group->levels->exchanges);
    *(uint64_t *)scan.own = own;
    *(uint64_t *)scan.before = 0;
    skerry_nodes_scan(group, 1, sizeof own, add_words);
    struct sums *sums = sums_of(call);
    sums->before = *(const uint64_t *)scan.before;
    group->levels->exchanges++;
    sums->all = own;
    skerry_nodes_reduce(group, &sums->all, 1, sizeof own, add_words);
}

// Puts the blocks of this node's members, which are contiguous in the result, to the leader (first member) of each
// other node. Then waits until the blocks of all other nodes have arrived.
static void put_part(void *argument) {
    const struct collect *call = argument;
    struct skerry_group *group = call->group;
    const struct skerry_levels *levels = group->levels;
    for (int i = 1; i < levels->nodes; i++) {
        const int to = skerry_wrapped(levels->index + i, levels->nodes);
        if (call->bytes)
            skerry_copy_to(call->dest + call->begin, call->dest + call->begin, (size_t)call->bytes,
                           skerry_leader_pe(group, to));
        skerry_nodes_signal(group, to);
    }
    skerry_nodes_await_count(group);
}

static void collect_in_area(struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    struct skerry_group *node = &group->levels->node;
    struct collect call = {.group = group, .sequence = ++node->exchanges, .dest = skerry_global(dest, node->start)};
    const uint64_t size = bytes;
    skerry_copy(skerry_global(skerry_cell_of(node, node->rank, call.sequence)->payload, node->start), &size,
                sizeof size);
    group->levels->exchanges += 2;
    skerry_node_rendezvous(group, add_sizes, &call);
    const struct skerry_cell *sizes = sizes_of(&call);
    const struct sums sums = *sums_of(&call);
    uint64_t before = 0;
    for (int i = 0; i < node->size; i++) {
        if (i < node->rank) before += size_in(&sizes[i]);
        call.bytes += size_in(&sizes[i]);
    }
    call.begin = sums.before;
    skerry_copy_unless_same(call.dest + sums.before + before, skerry_global(source, skerry_my_pe()), bytes);
    skerry_nodes_count(group, (unsigned)group->levels->nodes - 1);
    skerry_node_rendezvous(group, put_part, &call);
    copy_from_leader(group, dest, (size_t)sums.all);
}

// Collects in a group without an area (an active set). Each member puts its block to every member.
static void collect_on_work_array(struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    long *word = &group->work_array[WORK_ARRAY_SIZE_AT];
    *word = (long)bytes;
    skerry_barrier(group);
    uint64_t before = 0;
    for (int i = 0; i < group->rank; i++) before += (uint64_t)skerry_get_value(long, word, skerry_member(group, i));
    for (int i = 0; i < group->size; i++) {
        const int to = skerry_member(group, skerry_wrapped(group->rank + i, group->size));
        if (to != skerry_my_pe()) skerry_copy_to(dest + before, source, bytes, to);
        else skerry_copy_unless_same(dest + before, source, bytes);
    }
    skerry_barrier(group);
    *word = 0; // after the barrier, every member has read the size
}

void skerry_collect_levels(struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    if (group->area) collect_in_area(group, dest, source, bytes);
    else collect_on_work_array(group, dest, source, bytes);
}
