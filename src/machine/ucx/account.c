// SPDX-License-Identifier: BSD-3-Clause
// Records which operations belong to which context (a group of a thread's operations, contract/far.h). So a quiet of
// one context does not wait for operations of other contexts. For context 0 nothing is recorded, because a quiet of
// context 0 waits for the operations of all contexts. The module's lock protects all data of this file.
//
// Why one number for each context and node is enough:
// * The operations of this PE on one node are numbered. One endpoint (UCX's end of a connection) delivers the messages
//   of all contexts to this node in order.
// * So an acknowledgement for an operation also acknowledges all earlier operations on that node. The number of the
//   context's last operation says which acknowledgement to wait for.
#include <stdlib.h>

#include "internal.h"

struct account {
    // For each node: number of this context's last operation on the node. 0: a quiet need not wait for this node.
    uint64_t *last;
    uint32_t *nodes; // list of the nodes whose element of `last` is not 0
    uint32_t count;
    unsigned transfers[TRANSFER_KINDS]; // number of transfers under way (enum transfer)
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
    __atomic_store_n(&network.transfers[kind], network.transfers[kind] + 1, __ATOMIC_RELAXED);
    accounts[context].transfers[kind]++;
    return context;
}

void end_transfer(enum transfer kind, uint32_t context) {
    __atomic_store_n(&network.transfers[kind], network.transfers[kind] - 1, __ATOMIC_RELAXED);
    accounts[context].transfers[kind]--;
}

void wait_for_transfers(enum transfer kind, uint32_t context) {
    const unsigned *under_way = context == 0 ? &network.transfers[kind] : &accounts[context].transfers[kind];
    while (*(volatile const unsigned *)under_way > 0) step();
}

// Removes from the account the nodes on which all operations of the context are complete. The remaining nodes have
// operations that are not acknowledged yet, or that another thread has started in the meantime.
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
