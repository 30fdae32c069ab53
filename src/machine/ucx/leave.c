// SPDX-License-Identifier: BSD-3-Clause
// Leaves the network at the end of a job. A port (a PE that receives the messages for its node) stays until no other PE
// needs it.
#include <time.h>

#include "internal.h"

#define ROUNDS_MAX 32
static volatile uint32_t rounds_arrived[ROUNDS_MAX]; // messages of each round of the barrier of nodes
static uint32_t leaves;                              // number of times that this PE has left

void count_leave_message(unsigned round) {
    rounds_arrived[round % ROUNDS_MAX] = rounds_arrived[round % ROUNDS_MAX] + 1;
}

// Executes a dissemination barrier of the first ports of all nodes: in round r, each node sends a message to the node
// 2^r further. When the barrier ends, all operations of all PEs of the job are acknowledged. So no port receives a
// message any more.
static void barrier_of_nodes(void) {
    const int nodes = (int)network.host->wire_up->node_count;
    pthread_mutex_lock(&network.lock);
    for (int distance = 1, round = 0; distance < nodes; distance *= 2, round++) {
        struct link *link = link_to_node((network.host->node + distance) % nodes);
        const struct record record = {.kind = RECORD_LEAVE, .name = (uint64_t)round};
        const struct operands operands = {0};
        append_operands(link, &record, &operands);
        send_batch(link);
        while (rounds_arrived[round] < leaves) step();
    }
    // Waits until UCX has given the last messages to the transport. This function must not flush the worker (wait until
    // the receivers have the messages). A receiver has possibly ended by now. Then a flush takes 10 s or more, until
    // UCX notices that the receiver has ended.
    while (network.sends_under_way > 0) step();
    while (progress_worker()) {
    }
    pthread_mutex_unlock(&network.lock);
}

static void await_left(const uint32_t *left, uint32_t wanted) {
    while (__atomic_load_n(left, __ATOMIC_ACQUIRE) < wanted)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); // the helper thread executes messages during this sleep
}

// Returns when no other PE needs this PE as a port. The ports of a node must stay until the operations of all PEs of
// the job are acknowledged.
static void stay(void) {
    struct skerry_node *here = &skerry_nodes(network.host->wire_up)[network.host->node];
    const int own = network.host->my_pe - here->first;
    const uint32_t of_one_leave = (uint32_t)here->count + 1, all = ++leaves * of_one_leave;
    __atomic_fetch_add(&here->left, 1, __ATOMIC_ACQ_REL);
    if (own >= (int)here->ports) return;
    if (own == 0) {
        await_left(&here->left, all - 1);
        barrier_of_nodes();
        __atomic_fetch_add(&here->left, 1, __ATOMIC_ACQ_REL);
    }
    await_left(&here->left, all);
}

// Makes the next quiet wait for everything that this PE has sent. Usually a quiet does not wait for signals
// (network_put_and_signal). At the end of a job a quiet must wait for them too. Suppose that this PE ended before UCX
// has sent its last signal, for example because a connection is not complete. Then the PE that waits for this signal
// would wait for ever.
static void count_signals(void) {
    pthread_mutex_lock(&network.lock);
    for (uint32_t node = 0; node < network.host->wire_up->node_count; node++)
        if (network.links[node].endpoint) count_operation(&network.links[node]);
    pthread_mutex_unlock(&network.lock);
}

void network_leave(void) {
    count_signals();
    network_quiet(0);
    stay();
    stop_helper();
}
