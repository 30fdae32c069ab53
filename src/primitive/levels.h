// SPDX-License-Identifier: BSD-3-Clause
// Divides a group with members on several nodes into two levels: the members of each node, and the nodes. The members
// of a node use the algorithms of one node. Between nodes PEs only send messages (skerry_put_and_signal). Only machines
// with SKERRY_FAR_PES have groups with two levels.
// - The first member of a node is the leader of the node. The messages to a node arrive in its leader's memory.
// - Any member of the node can send and receive messages for the node, because it can access the leader's memory.
// - The nodes of a group are computed from the group's start and stride, without a table. No table is needed, because
//   the PEs of a node have consecutive ranks.
#ifndef SKERRY_PRIMITIVE_LEVELS_H
#define SKERRY_PRIMITIVE_LEVELS_H

#include "group.h"

#if SKERRY_FAR_PES

#define SKERRY_NODE_BROADCAST_CELLS 16
#define SKERRY_NODE_FLAGS                                                                                              \
    (2 * SKERRY_NODE_ROUNDS_MAX + 2) // two for each round, one before the first round, one after the last round

// The part of a team's area (struct skerry_area) that receives messages from other nodes. Only the part in the memory
// of a node's leader (the first member on the node) is used. Collectives communicate between nodes by numbered
// exchanges. Exchange k uses the elements with index k & 1, so two consecutive exchanges use different elements
// (levels.c).
//
// In a counted exchange the receiver counts signals and does not distinguish their senders. Counted exchanges have
// numbers of their own.
struct skerry_node_area {
    struct skerry_padded_word flags[2][SKERRY_NODE_FLAGS]; // [k & 1][i]: last exchange whose message i has arrived
    struct skerry_padded_word counts[2];                   // [k & 1]: number of signals of counted exchanges
    struct skerry_cell broadcast[SKERRY_NODE_BROADCAST_CELLS];
    _Alignas(SKERRY_LINE) uint8_t scratch[2][SKERRY_NODE_SCRATCH_BYTES]; // payload of messages of exchange k
};

struct skerry_levels {
    struct skerry_group
        node;           // the members on the node of this PE; it uses the area or the work array of the whole group
    int32_t nodes;      // number of nodes that have members
    int32_t index;      // number of the node of this PE among them, in the order of ranks in the group
    int32_t leader;     // rank in the group of the first member on the node of this PE
    int32_t first_node; // machine's number of the node of member 0

    // How the machine numbers the nodes of the group:
    //     1  consecutive numbers, in rising order of ranks
    //     -1 consecutive numbers, in falling order of ranks
    //     0  other numbers; each member of the group is then treated as a node of its own
    int32_t direction;
    skerry_word exchanges;   // number of exchanges between nodes that this PE has begun
    skerry_word counted;     // number of counted exchanges that this PE has begun
    skerry_word expected[2]; // value of counts[k & 1] when all signals of counted exchange k have arrived
};

// Sets group->levels. If the group has members on several nodes, fills in *levels, with all counters 0, and sets
// group->levels to `levels`. If not, sets group->levels to NULL. All other fields of the group must have their values
// already.
void skerry_levels_form(struct skerry_group *group, struct skerry_levels *levels);

// skerry_node_leader returns the rank in the group of the first member on node `index` of the group. If `index` is the
// number of nodes, it returns the size of the group. skerry_node_index_of is the inverse: the function returns the
// index of the node of the member with rank `rank`.
int skerry_node_leader(const struct skerry_group *group, int index);
int skerry_node_index_of(const struct skerry_group *group, int rank);

// Returns the number, in the whole job, of the PE that leads node `index` of the group.
SKERRY_ALWAYS_INLINE int skerry_leader_pe(const struct skerry_group *group, int index) {
    return skerry_member(group, skerry_node_leader(group, index));
}

// Returns the part of a team's area (the words by which its members synchronise) that receives messages from other
// nodes. This part is in the memory of the leader (first member) of this PE's node.
struct skerry_node_area *skerry_node_area_of(const struct skerry_group *group);

// Sets the words in `area` that receive messages from other nodes to zero. `area` is the area of a team in this PE's
// memory. No other PE is allowed to use these words during the call.
void skerry_node_area_clear(struct skerry_area *area);

// Waits until all members of the group on this node have called this function. Then one of these members calls
// finish(argument). When `finish` has returned, this function returns in all members of the node.
void skerry_node_rendezvous(struct skerry_group *group, void (*finish)(void *argument), void *argument);

// Sends message `flag` of exchange `exchange`: `bytes` bytes to `dest` in the memory of the leader (first member) of
// node `to`. Each message that this node gets in one exchange must have another `flag`. skerry_node_await waits for
// message `flag`.
void skerry_node_send(struct skerry_group *group, skerry_word exchange, int flag, int to, void *dest,
                      const void *source, size_t bytes);
void skerry_node_await(struct skerry_group *group, skerry_word exchange, int flag);

// Executes one exchange without payload: returns when every node has called the function. One member of each node calls
// the function, after all members of that node have added 1 to `exchanges`.
void skerry_node_exchange_nothing(struct skerry_group *group);

// Do what skerry_barrier and skerry_barrier_own_words do, for a group with members on several nodes.
void skerry_levels_barrier(struct skerry_group *group);
void skerry_levels_barrier_own_words(struct skerry_group *group);

// Returns the size in bytes of a team's area: the part for one node and, in a job of several nodes, the part for
// messages between nodes.
SKERRY_ALWAYS_INLINE size_t skerry_team_area_bytes(void) {
    return skerry_area_bytes() + (skerry_node_count() > 1 ? sizeof(struct skerry_node_area) : 0);
}

#else

SKERRY_ALWAYS_INLINE size_t skerry_team_area_bytes(void) {
    return skerry_area_bytes();
}

#endif
#endif
