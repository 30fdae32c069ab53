// SPDX-License-Identifier: BSD-3-Clause
// Keeps account of the operations of each context (contract/far.h), so that a quiet of one context does not wait for
// another's operations. Context 0 has no account: its quiet waits for the operations of all contexts.
//
// One endpoint delivers the messages of all contexts in order. So an acknowledgement for a context's last operation on a
// node covers all its earlier ones there, and the account keeps one number for each node: the link's number of operations
// after the context's last one. All state is protected by the module's lock.
#include <stdlib.h>

#include "internal.h"

struct account {
    uint64_t *last;  // for each node: number of the last operation; 0: none that a quiet has to wait for
    uint32_t *nodes; // the nodes with a number in `last`
    uint32_t count;
    unsigned transfers[2]; // large puts and gets under way
};
static struct account accounts[SKERRY_NETWORK_CONTEXTS];

static struct account *account_of(uint32_t context) {
    struct account *account = &accounts[context % SKERRY_NETWORK_CONTEXTS];
    if (account->last) return account;
    const uint32_t nodes = network.host->wire_up->node_count;
    account->last = calloc(nodes, sizeof *account->last);
    account->nodes = calloc(nodes, sizeof *account->nodes);
    if (!account->last || !account->nodes) network.host->fail("network (UCX): no memory for a context");
    return account;
}

void account_for_operation(const struct link *link) {
    const uint32_t context = network.host->context();
    if (context == 0) return;
    struct account *account = account_of(context);
    const uint32_t node = (uint32_t)(link - network.links);
    if (account->last[node] == 0) account->nodes[account->count++] = node;
    account->last[node] = link->operations;
}

uint32_t begin_transfer(enum transfer kind) {
    const uint32_t context = network.host->context() % SKERRY_NETWORK_CONTEXTS;
    network.transfers[kind]++;
    accounts[context].transfers[kind]++;
    return context;
}

void end_transfer(enum transfer kind, uint32_t context) {
    network.transfers[kind]--;
    accounts[context].transfers[kind]--;
}

void wait_for_transfers(enum transfer kind, uint32_t context) {
    const unsigned *under_way = context == 0 ? &network.transfers[kind] : &accounts[context].transfers[kind];
    while (*(volatile const unsigned *)under_way > 0) step();
}

// Removes the nodes whose operations are complete. What is left is new: other threads can use the context meanwhile.
static void drop_completed(struct account *account) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < account->count; i++) {
        const uint32_t node = account->nodes[i];
        if (network.links[node].acknowledged < account->last[node]) account->nodes[kept++] = node;
        else account->last[node] = 0;
    }
    account->count = kept;
}

size_t list_unfinished(uint32_t context, struct wanted *few, struct wanted **wanted) {
    struct account *account = &accounts[context % SKERRY_NETWORK_CONTEXTS];
    drop_completed(account);
    *wanted = account->count <= WANTED_USUAL ? few : malloc(account->count * sizeof **wanted);
    if (!*wanted) network.host->fail("network (UCX): no memory for messages");
    for (uint32_t i = 0; i < account->count; i++) {
        const uint32_t node = account->nodes[i];
        (*wanted)[i] = (struct wanted){&network.links[node], account->last[node]};
    }
    return account->count;
}
