// SPDX-License-Identifier: BSD-3-Clause
// Implements collectives among nodes: reductions, scans, and exchanges in which nodes count signals. One member of each
// node executes them. Reductions have two algorithms:
// - If the values of all nodes fit the scratch memory (a node's memory for received data), every node gathers all of
//   them (Bruck and others 1997). Every node combines the values in the order of nodes, so the results are equal in
//   every bit.
// - If not, the nodes combine them by recursive doubling, in which two partners compute the same bits.
#include "nodes.h"

#define FLAG_TO_PARTNER SKERRY_NODE_ROUNDS_MAX // messages before and after the rounds of recursive doubling
#define FLAG_FROM_PARTNER (SKERRY_NODE_ROUNDS_MAX + 1)

static char *scratch_of(const struct skerry_group *group, skerry_word exchange) {
    return (char *)skerry_node_area_of(group)->scratch[exchange & 1];
}

// -- Reductions --------------------------------------------------------------------------------------------------------

static bool all_values_fit(const struct skerry_group *group, size_t bytes) {
    return bytes <= SKERRY_NODE_SCRATCH_BYTES / (unsigned)group->levels->nodes;
}

bool skerry_nodes_can_reduce(const struct skerry_group *group, size_t bytes) {
    return all_values_fit(group, bytes) || bytes <= SKERRY_NODE_SCRATCH_BYTES / (SKERRY_NODE_ROUNDS_MAX + 2);
}

// Reduces by gathering all values, in ceil(log2 n) rounds. Block i of the scratch memory gets the value of the node i
// places after this node. When a round begins, a node has blocks 0 to held - 1. The node sends these blocks to the node
// `held` places before it. That node stores them as its blocks from number `held` on.
static void reduce_by_gathering(struct skerry_group *group, void *value, size_t count, size_t size,
                                skerry_combine combine) {
    const int nodes = group->levels->nodes, index = group->levels->index;
    const skerry_word exchange = group->levels->exchanges;
    const size_t bytes = count * size;
    char *blocks = scratch_of(group, exchange);
    skerry_copy(blocks, value, bytes);
    for (int held = 1, round = 0; held < nodes; round++) {
        const int more = held < nodes - held ? held : nodes - held;
        skerry_node_send(group, exchange, round, skerry_wrapped(index - held + nodes, nodes),
                         blocks + (unsigned)held * bytes, blocks, (unsigned)more * bytes);
        skerry_node_await(group, exchange, round);
        held += more;
    }
    for (int node = 0; node < nodes; node++) {
        const char *block = blocks + (unsigned)skerry_wrapped(node - index + nodes, nodes) * bytes;
        if (node == 0) skerry_copy(value, block, bytes);
        else combine(value, block, count);
    }
}

// Combines `value` with a received value, and stores the result in `value`. Overwrites `received`. The value of the
// lower node is the left operand. So two nodes that exchange their values compute the same bits, even if the order of
// the operands changes the result.
static void combine_in_order(void *value, void *received, bool received_is_lower, size_t count, size_t bytes,
                             skerry_combine combine) {
    if (!received_is_lower) {
        combine(value, received, count);
        return;
    }
    combine(received, value, count);
    skerry_copy(value, received, bytes);
}

// Reduces by recursive doubling among the first `power` nodes; `power` is the largest power of two that is not larger
// than the number of nodes. Each further node has a partner among the first nodes. The further node sends its value to
// the partner at the beginning, and receives the result from the partner at the end. Message i of the exchange arrives
// in block i of the scratch memory (a node's memory for received data).
static void reduce_by_doubling(struct skerry_group *group, void *value, size_t count, size_t size,
                               skerry_combine combine) {
    const int nodes = group->levels->nodes, index = group->levels->index;
    const skerry_word exchange = group->levels->exchanges;
    const size_t bytes = count * size;
    char *blocks = scratch_of(group, exchange);
    char *to_partner = blocks + FLAG_TO_PARTNER * bytes, *from_partner = blocks + FLAG_FROM_PARTNER * bytes;
    int power = 1;
    while (power * 2 <= nodes) power *= 2;
    if (index >= power) {
        skerry_node_send(group, exchange, FLAG_TO_PARTNER, index - power, to_partner, value, bytes);
        skerry_node_await(group, exchange, FLAG_FROM_PARTNER);
        skerry_copy(value, from_partner, bytes);
        return;
    }
    const bool has_partner = index < nodes - power;
    if (has_partner) {
        skerry_node_await(group, exchange, FLAG_TO_PARTNER);
        combine(value, to_partner, count);
    }
    for (int step = power / 2, round = 0; step > 0; step /= 2, round++) {
        const int other = index ^ step;
        char *received = blocks + (unsigned)round * bytes;
        skerry_node_send(group, exchange, round, other, received, value, bytes);
        skerry_node_await(group, exchange, round);
        combine_in_order(value, received, other < index, count, bytes, combine);
    }
    if (has_partner) skerry_node_send(group, exchange, FLAG_FROM_PARTNER, index + power, from_partner, value, bytes);
}

void skerry_nodes_reduce(struct skerry_group *group, void *value, size_t count, size_t size, skerry_combine combine) {
    if (all_values_fit(group, count * size)) reduce_by_gathering(group, value, count, size, combine);
    else reduce_by_doubling(group, value, count, size, combine);
}

// -- Scans -------------------------------------------------------------------------------------------------------------

// Returns the number of rounds of a scan. The scratch memory (a node's memory for received data) of a scan consists of
// one block for each round, and the blocks `own` and `before`.
static int rounds_of(const struct skerry_group *group) {
    int rounds = 0;
    while (1 << rounds < group->levels->nodes) rounds++;
    return rounds;
}

size_t skerry_nodes_scan_bytes(const struct skerry_group *group) {
    const size_t bytes = SKERRY_NODE_SCRATCH_BYTES / (unsigned)(rounds_of(group) + 2);
    return bytes / SKERRY_LINE * SKERRY_LINE;
}

struct skerry_nodes_scan skerry_nodes_scan_memory(struct skerry_group *group, skerry_word exchange) {
    char *blocks = scratch_of(group, exchange);
    const size_t bytes = skerry_nodes_scan_bytes(group);
    const unsigned rounds = (unsigned)rounds_of(group);
    return (struct skerry_nodes_scan){blocks + rounds * bytes, blocks + (rounds + 1) * bytes};
}

// Computes prefix sums over the nodes (Hillis and Steele 1986). In the round with step s a node sends `sum` to the node
// s places after it. `sum` is the sum of the values of the last s nodes up to this node. If there are fewer than s,
// `sum` is the sum of all nodes up to this node.
void skerry_nodes_scan(struct skerry_group *group, size_t count, size_t size, skerry_combine combine) {
    const int nodes = group->levels->nodes, index = group->levels->index;
    const skerry_word exchange = group->levels->exchanges;
    const size_t bytes = count * size, block_bytes = skerry_nodes_scan_bytes(group);
    const struct skerry_nodes_scan memory = skerry_nodes_scan_memory(group, exchange);
    const void *sum = memory.own;
    char *received = scratch_of(group, exchange);
    int round = 0;
    for (int step = 1; step < nodes; step *= 2, round++, received += block_bytes) {
        // The last `step` nodes send a message without data to the first nodes. These messages make this an exchange:
        // no node finishes before it has received a message from every node, directly or through other nodes.
        skerry_node_send(group, exchange, round, skerry_wrapped(index + step, nodes), received, sum,
                         index + step < nodes ? bytes : 0);
        skerry_node_await(group, exchange, round);
        if (index < step) continue;
        if (step > 1) combine(received, memory.before, count);
        skerry_copy(memory.before, received, bytes);
        combine(received, memory.own, count);
        sum = received;
    }
}

// -- Counted exchanges -------------------------------------------------------------------------------------------------

// In a counted exchange each node waits for a given number of signals. Counted exchange k uses the word counts[k & 1],
// which only grows. Why no signal of exchange k + 2 arrives at a node that still waits for signals of exchange k:
// 1. A member signals in exchange k + 2 only after its node has finished exchange k + 1.
// 2. To finish exchange k + 1, the node needed signals of all nodes for it.
// 3. Each of these nodes had finished exchange k before it sent them.
void skerry_nodes_count(struct skerry_group *group, skerry_word signals) {
    struct skerry_levels *levels = group->levels;
    levels->counted++;
    levels->expected[levels->counted & 1] += signals;
}

void skerry_nodes_signal(struct skerry_group *group, int node) {
    skerry_word *word = &skerry_node_area_of(group)->counts[group->levels->counted & 1].value;
    skerry_put_and_signal(0, 0, 0, word, 1, true, skerry_leader_pe(group, node));
}

void skerry_nodes_await_count(void *argument) {
    struct skerry_group *group = argument;
    const struct skerry_levels *levels = group->levels;
    const skerry_word *word = &skerry_node_area_of(group)->counts[levels->counted & 1].value;
    SKERRY_WAIT_UNTIL(skerry_reached(word, levels->expected[levels->counted & 1]), levels->node.start);
}
