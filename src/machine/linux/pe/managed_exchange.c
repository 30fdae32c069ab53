// SPDX-License-Identifier: BSD-3-Clause
// Passes the network addresses of the nodes' ports to all nodes, in a job that a process manager (such as srun) has
// started. A port is a PE that receives messages for its node.
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>

#include "managed_internal.h"
#include "node_ring.h"

#define EXCHANGE_SECONDS 300 // limit of the time until all processes of a job have called shmem_init

// Data that a port sends to the PEs of other nodes.
struct port_data {
    struct skerry_identity identity;
    struct skerry_node_endpoint endpoint; // for the ring of nodes (node_ring.h); set by the first PE of a node only
    struct skerry_port port;
};

// Gets the data of a port (a PE that receives messages for its node) of another node. `rank` is the rank of its
// process.
static struct port_data get_port(int32_t rank) {
    struct port_data data;
    const char *wrong = skerry_managed.manager->get(rank, "skerry.port", &data, sizeof data, START_SECONDS);
    if (wrong)
        skerry_refuse("shmem_init: the launcher gives no network address of the process with rank %d: %s", rank, wrong);
    skerry_check_identity(&data.identity);
    return data;
}

void skerry_managed_exchange(struct skerry_wire_up *wire_up, int node) {
    const int own = skerry_facts.my_pe - skerry_facts.near_first;
    struct skerry_node *nodes = skerry_nodes(wire_up);
    const char *wrong = NULL;
    if (own < (int)nodes[node].ports) {
        struct port_data data = {.identity = skerry_own_identity(), .port = nodes[node].port[own]};
        if (own == 0) data.endpoint = *skerry_open_endpoint();
        wrong = skerry_managed.manager->put("skerry.port", &data,
                                            offsetof(struct port_data, port.address) + data.port.bytes);
    }
    if (!wrong) wrong = skerry_managed.manager->fence(EXCHANGE_SECONDS);
    if (wrong) skerry_refuse("shmem_init: the nodes cannot exchange their addresses: %s", wrong);
    if (own != 0) return;
    // Only the first PE of the node writes the entries of other nodes. The addition to `published` is a release. The
    // other PEs of the node load `published` by an acquire, and read the entries only when `published` has its final
    // value. So they see the entries.
    const int count = (int)wire_up->node_count, next = (node + 1) % count;
    struct skerry_node_endpoint endpoint = {.port = 0};
    uint32_t added = 0;
    for (int i = 0; i < count; i++) {
        if (i == node) continue;
        for (uint32_t port = 0; port < nodes[i].ports; port++, added++) {
            const struct port_data data = get_port(skerry_managed.job.nodes[i].rank[port]);
            nodes[i].port[port] = data.port;
            if (i == next && port == 0) endpoint = data.endpoint;
        }
    }
    __atomic_fetch_add(&wire_up->published, added, __ATOMIC_ACQ_REL);
    skerry_close_ring(&endpoint, nodes[(node + count - 1) % count].first, nodes[next].first);
}
