// SPDX-License-Identifier: BSD-3-Clause
// Divides a group with members on several nodes into two levels: the members of each node, and the nodes. The members of
// a node use the algorithms of one node. Between nodes PEs only send messages (skerry_put_and_signal). The first member of a
// node is its leader. The messages to a node arrive in the memory of its leader, and any member of the node can send and
// receive in the leader's place. Only machines with SKERRY_FAR_PES have groups with two levels.
//
// The PEs of a node have consecutive ranks, and so have the members of a group on one node. So no table is needed: the
// nodes of a group are found by arithmetic on its start and stride.
#ifndef SKERRY_PRIMITIVE_LEVELS_H
#define SKERRY_PRIMITIVE_LEVELS_H

#include "group.h"

#if SKERRY_FAR_PES

#define SKERRY_NODE_BROADCAST_CELLS 16
#define SKERRY_NODE_FLAGS                                                                                              \
    (2 * SKERRY_NODE_ROUNDS_MAX + 2) // two messages in a round, and two before and after all rounds

// The part of a team's area for messages between nodes. Used only in the memory of leaders. Exchange k uses the elements
// k & 1 (levels.c).
struct skerry_node_area {
    struct skerry_padded_word flags[2][SKERRY_NODE_FLAGS]; // [k & 1][i]: last exchange whose message i has arrived
    struct skerry_padded_word counts[2];                   // [k & 1]: number of signals of counted exchanges
    struct skerry_cell broadcast[SKERRY_NODE_BROADCAST_CELLS];
    _Alignas(SKERRY_LINE) uint8_t scratch[2][SKERRY_NODE_SCRATCH_BYTES]; // payload of messages of exchange k
};

struct skerry_levels {
    struct skerry_group
        node;              // the members on the node of this PE; it uses the area or the work array of the whole group
    int32_t nodes;         // number of nodes that have members
    int32_t index;         // number of the node of this PE among them, in the order of ranks in the group
    int32_t leader;        // rank in the group of the first member on the node of this PE
    int32_t first_node;    // machine's number of the node of member 0
    int32_t direction;     // 1 or -1: the nodes of the group are consecutive, in rising or falling order of their
                           // numbers; 0: each member counts as a node of its own
    skerry_word exchanges; // number of exchanges between nodes that this PE has begun
    skerry_word counted;   // number of counted exchanges that this PE has begun
    skerry_word expected[2]; // value of counts[k & 1] when all signals of counted exchange k have arrived
};

// Fills in group->levels: NULL, or `levels` if the group has members on several nodes. All other fields of the group have
// their values already. The counters in `levels` become 0.
void skerry_levels_form(struct skerry_group *group, struct skerry_levels *levels);

// Returns the rank in the group of the first member on node `index` of the group; for the number of nodes it returns the
// size of the group. skerry_node_index_of is the inverse: it returns the node of the member with this rank.
int skerry_node_leader(const struct skerry_group *group, int index);
int skerry_node_index_of(const struct skerry_group *group, int rank);

// Returns the machine's number of the PE that leads node `index` of the group.
SKERRY_ALWAYS_INLINE int skerry_leader_pe(const struct skerry_group *group, int index) {
    return skerry_member(group, skerry_node_leader(group, index));
}

// Returns the part of a team's area for messages between nodes, in the memory of the leader of this PE's node.
struct skerry_node_area *skerry_node_area_of(const struct skerry_group *group);

// Sets the words of a team's area for messages between nodes to zero, in this PE's memory. No other PE is allowed to use
// them during the call.
void skerry_node_area_clear(struct skerry_area *area);

// Waits until all members of the group on this node have called the function. Then one member calls finish(argument).
// The function returns after that, on all members of the node.
void skerry_node_rendezvous(struct skerry_group *group, void (*finish)(void *argument), void *argument);

// Sends message `flag` of exchange `exchange`: `bytes` bytes to `dest` in the memory of the leader of node `to`. `flag`
// must be unique among the messages that this node gets in one exchange. skerry_node_await waits for the message.
void skerry_node_send(struct skerry_group *group, skerry_word exchange, int flag, int to, void *dest,
                      const void *source, size_t bytes);
void skerry_node_await(struct skerry_group *group, skerry_word exchange, int flag);

// Executes one exchange without payload: returns when every node has called the function. Called by one member of each
// node, after all members have added 1 to `exchanges`.
void skerry_node_exchange_nothing(struct skerry_group *group);

// Barriers of a group with two levels, as skerry_barrier and skerry_barrier_own_words.
void skerry_levels_barrier(struct skerry_group *group);
void skerry_levels_barrier_own_words(struct skerry_group *group);

// Returns the size in bytes of a team's area: the part for one node and, in a job of several nodes, the part for messages
// between nodes.
SKERRY_ALWAYS_INLINE size_t skerry_team_area_bytes(void) {
    return skerry_area_bytes() + (skerry_node_count() > 1 ? sizeof(struct skerry_node_area) : 0);
}

#else

SKERRY_ALWAYS_INLINE size_t skerry_team_area_bytes(void) {
    return skerry_area_bytes();
}

#endif
#endif
