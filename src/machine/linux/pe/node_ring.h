// SPDX-License-Identifier: BSD-3-Clause
// Declares the ring of TCP connections between the nodes of a job that a process manager, such as srun, has started.
// Only the first PE of each node calls these functions.
#ifndef SKERRY_MACHINE_LINUX_NODE_RING_H
#define SKERRY_MACHINE_LINUX_NODE_RING_H

#include <stdint.h>

#include "internal.h"

#define SKERRY_ENDPOINT_ADDRESSES 8
#define SKERRY_ENDPOINT_TOKEN 16

// Where the first PE of a node waits for the connection of the previous node: its addresses and its port. The token is
// a random number that the connecting process must send.
struct skerry_node_endpoint {
    uint16_t port; // in network byte order
    uint8_t addresses;
    uint8_t token[SKERRY_ENDPOINT_TOKEN];
    uint8_t address[SKERRY_ENDPOINT_ADDRESSES][16]; // IPv6, or IPv4 in the form of IPv6
};

// Begins to wait for a connection of the previous node. Returns the endpoint of this node. If this fails, the endpoint
// has no addresses.
SKERRY_PRIVATE const struct skerry_node_endpoint *skerry_open_endpoint(void);
// Connects to the next node, accepts the connection of the previous node, and starts to watch both connections.
// `previous_pe` and `next_pe` are the first PEs of these nodes. Writes a warning if a connection fails.
SKERRY_PRIVATE void skerry_close_ring(const struct skerry_node_endpoint *next, int previous_pe, int next_pe);

#endif
