// SPDX-License-Identifier: BSD-3-Clause
// Finds the nodes of a group, and synchronises them. In an exchange between nodes no node finishes before it has
// received, directly or through other nodes, a message from every node. In each exchange one member of a node sends and
// receives for the node. The member can be another one in each exchange. Checked by test/model/node_exchange.pml.
//
// Flag i of exchange k is flags[k & 1][i] in the memory of the receiving node's leader (its first member). In exchange
// k only one message changes this flag: the message stores k. The message is a release and the wait for its flag is an
// acquire, so the receiver sees the payload.
//
// Messages of different members of a node can arrive in another order than they were sent. Why exchange k + 2 can
// nevertheless use the flags and the payload memory scratch[k & 1] of exchange k again:
// 1. A node sends messages of exchange k + 2 only after it has finished exchange k + 1.
// 2. Then every node has begun exchange k + 1. Before that, every node has received all its messages of exchange k.
// 3. So no message of exchange k is still under way, and no node still uses its flags and payload.
#include "../levels.h"

#include "../barrier.h"

static int distance(int from, int to) {
    return from < to ? to - from : from - to;
}

// Returns true if each node between the node of the first member and that of the last has a member. The condition holds
// if the stride is not larger than the number of PEs of the smallest node.
static bool steps_on_each_node(int stride) {
    const int nodes = skerry_node_count();
    for (int node = 0; node < nodes; node++)
        if (distance(0, stride) > skerry_node_first(node + 1) - skerry_node_first(node)) return false;
    return true;
}

void skerry_levels_form(struct skerry_group *group, struct skerry_levels *levels) {
    group->levels = 0;
    const int last_member = skerry_member(group, group->size - 1);
    if (skerry_is_near(group->start) && skerry_is_near(last_member)) return;
    const int first = skerry_node_of(group->start), last = skerry_node_of(last_member);
    const bool consecutive = steps_on_each_node(group->stride);
    *levels = (struct skerry_levels){.nodes = consecutive ? distance(first, last) + 1 : group->size,
                                     .first_node = first,
                                     .direction = !consecutive   ? 0
                                                  : first < last ? 1
                                                                 : -1};
    group->levels = levels;
    levels->index = skerry_node_index_of(group, group->rank);
    levels->leader = skerry_node_leader(group, levels->index);
    levels->node = (struct skerry_group){.start = skerry_member(group, levels->leader),
                                         .stride = group->stride,
                                         .size = skerry_node_leader(group, levels->index + 1) - levels->leader,
                                         .rank = group->rank - levels->leader,
                                         .area = group->area,
                                         .work_array = group->work_array};
}

int skerry_node_leader(const struct skerry_group *group, int index) {
    const struct skerry_levels *levels = group->levels;
    if (levels->direction == 0 || index == 0) return index;
    if (index == levels->nodes) return group->size;
    // The members of the group are `stride` PEs apart. `nearest` is the PE of this node that is nearest to member 0.
    // The first member on the node is `nearest` or the next member after it: the distance in strides is rounded up.
    const int node = levels->first_node + levels->direction * index;
    const int nearest = levels->direction > 0 ? skerry_node_first(node) : skerry_node_first(node + 1) - 1;
    const int stride = distance(0, group->stride);
    return (distance(group->start, nearest) + stride - 1) / stride;
}

int skerry_node_index_of(const struct skerry_group *group, int rank) {
    const struct skerry_levels *levels = group->levels;
    if (levels->direction == 0) return rank;
    return distance(levels->first_node, skerry_node_of(skerry_member(group, rank)));
}

static struct skerry_node_area *node_part(struct skerry_area *area) {
    return (struct skerry_node_area *)(void *)((char *)area + skerry_area_bytes());
}

struct skerry_node_area *skerry_node_area_of(const struct skerry_group *group) {
    return skerry_global(node_part(group->area), group->levels->node.start);
}

void skerry_node_area_clear(struct skerry_area *area) {
    struct skerry_node_area *part = node_part(area);
    for (int half = 0; half < 2; half++) {
        part->counts[half].value = 0;
        for (int i = 0; i < SKERRY_NODE_FLAGS; i++) part->flags[half][i].value = 0;
    }
    for (int i = 0; i < SKERRY_NODE_BROADCAST_CELLS; i++) part->broadcast[i].sequence = 0;
}

// -- Messages between nodes --------------------------------------------------------------------------------------------

void skerry_node_send(struct skerry_group *group, skerry_word exchange, int flag, int to, void *dest,
                      const void *source, size_t bytes) {
    struct skerry_padded_word *word = &skerry_node_area_of(group)->flags[exchange & 1][flag];
    skerry_put_and_signal(dest, source, bytes, &word->value, exchange, false, skerry_leader_pe(group, to));
}

void skerry_node_await(struct skerry_group *group, skerry_word exchange, int flag) {
    const skerry_word *word = &skerry_node_area_of(group)->flags[exchange & 1][flag].value;
    SKERRY_WAIT_UNTIL(skerry_reached(word, exchange), group->levels->node.start);
}

// Executes a dissemination barrier of the nodes: in round r, node i of the group sends a message to node i + 2^r.
void skerry_node_exchange_nothing(struct skerry_group *group) {
    const struct skerry_levels *levels = group->levels;
    int round = 0;
    for (int step = 1; step < levels->nodes; step *= 2, round++) {
        int to = skerry_wrapped(levels->index + step, levels->nodes);
        skerry_node_send(group, levels->exchanges, round, to, 0, 0, 0);
        skerry_node_await(group, levels->exchanges, round);
    }
}

// -- Rendezvous --------------------------------------------------------------------------------------------------------

#define OPENING_MEMBERS 8 // 4 members: barriers were 1.2 times as long with the leader; 16 members: half as long

// Waits until all members of the node have arrived. The last one to arrive calls `finish`. If the node has many members
// and the network is not open in the last one, the leader does. To open it takes milliseconds, memory, and a thread in
// each PE that does so. With few members this is less than the leader's turns on the processors.
//
// - `arrived` and `released` of the leader's area have the meaning that they have in skerry_barrier_with.
// - `released` of the second member's area is for the leader. It reaches `epoch` when all members have arrived. So a
//   member that leaves the work to the leader wakes the leader only: the others sleep at the leader's eventcount.
// - A member that has called `finish` releases the others before the leader. So a leader that wakes up and finds that
//   `released` of its own area has not reached `epoch` knows that the work is left to it.
// - All stores are releases, and all waits and the counter are acquires, so `finish` sees what members wrote before.
// The model is test/model/node_rendezvous.pml.
static void rendezvous_of_oversubscribed(struct skerry_group *node, void (*finish)(void *argument), void *argument) {
    const skerry_word epoch = ++node->barriers;
    const int leader = skerry_member(node, 0), second = skerry_member(node, 1);
    const skerry_word *released = skerry_global(&node->area->released.value, leader);
    const bool is_leader = node->rank == 0;
    const bool is_last = skerry_atomic_count(&node->area->arrived.value, 1, leader) + 1 == epoch * (unsigned)node->size;
    bool finishes = is_last && (is_leader || node->size <= OPENING_MEMBERS || skerry_far_is_open());
    if (is_last && !finishes) {
        skerry_store_release(&node->area->released.value, epoch, second);
    } else if (is_leader && !is_last) {
        const skerry_word *arrived = skerry_global(&node->area->released.value, second);
        SKERRY_WAIT_UNTIL(skerry_reached(arrived, epoch), second);
        finishes = !skerry_reached(released, epoch);
    }
    if (finishes) {
        finish(argument);
        skerry_store_release(&node->area->released.value, epoch, leader);
        if (!is_leader) skerry_store_release(&node->area->released.value, epoch, second);
    }
    SKERRY_WAIT_UNTIL(skerry_reached(released, epoch), leader);
}

// The member that calls `finish` depends on the number of processors:
// - If each PE has a processor, it is the leader of the node. Messages from other nodes arrive in the leader's memory.
// - If PEs are oversubscribed (more PEs are awake than there are processors), it is the last member to arrive. This
//   member has a processor. The leader possibly has none.
void skerry_node_rendezvous(struct skerry_group *group, void (*finish)(void *argument), void *argument) {
    struct skerry_group *node = &group->levels->node;
    if (node->size == 1) {
        finish(argument);
    } else if (node->area && skerry_is_oversubscribed()) {
        rendezvous_of_oversubscribed(node, finish, argument);
    } else if (node->area && node->size <= SKERRY_COUNTER_BARRIER_MEMBERS) {
        skerry_barrier_with(node, finish, argument);
    } else {
        skerry_barrier(node);
        if (node->rank == 0) finish(argument);
        skerry_barrier(node);
    }
}

static void exchange_nothing(void *group) {
    skerry_node_exchange_nothing(group);
}

_Static_assert(sizeof(long) == sizeof(skerry_word), "skerry_put_and_signal can add to a word of the work array");

// Executes a barrier of the nodes over the work array (pSync), by the algorithm of barrier_counting in barrier.c. The
// first SKERRY_ROUNDS_MAX words of the array are for barriers inside a node. The words after them are for this barrier.
static void exchange_on_work_array(void *argument) {
    const struct skerry_group *group = argument;
    const struct skerry_levels *levels = group->levels;
    const int own = levels->node.start;
    long *word = &group->work_array[SKERRY_ROUNDS_MAX];
    for (int step = 1; step < levels->nodes; step *= 2, word++) {
        int to = skerry_wrapped(levels->index + step, levels->nodes);
        // skerry_put_and_signal sends the signal at once. Other operations can stay in this PE until its next sleep.
        // This PE does not sleep if its first poll finds the signal that it waits for.
        skerry_put_and_signal(0, 0, 0, (skerry_word *)(void *)word, 1, true, skerry_leader_pe(group, to));
        const long *mine = skerry_global(word, own);
        SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(mine) > 0, own);
        skerry_work_word_add(word, -1, own);
    }
}

// Executes a barrier of a group with members on several nodes. Each member first completes its puts: the messages
// between nodes come from one member of a node and are not ordered after the puts of the other members.
void skerry_levels_barrier(struct skerry_group *group) {
    skerry_complete_puts();
    group->levels->exchanges++;
    skerry_node_rendezvous(group, group->area ? exchange_nothing : exchange_on_work_array, group);
}

void skerry_levels_barrier_own_words(struct skerry_group *group) {
    struct skerry_group *node = &group->levels->node;
    skerry_complete_puts();
    group->levels->exchanges++;
    skerry_barrier_own_words(node);
    if (node->rank == 0) skerry_node_exchange_nothing(group);
    skerry_barrier_own_words(node);
}
