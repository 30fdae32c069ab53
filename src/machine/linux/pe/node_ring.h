// SPDX-License-Identifier: BSD-3-Clause
// Declares the ring of TCP connections between the nodes of a process manager's job. Only the first PE of each node calls
// these functions.
#ifndef SKERRY_MACHINE_LINUX_NODE_RING_H
#define SKERRY_MACHINE_LINUX_NODE_RING_H

#include <stdint.h>

#include "internal.h"

#define SKERRY_DOOR_ADDRESSES 8
#define SKERRY_DOOR_TOKEN 16

// Where the first PE of a node waits for a connection, and the number that a process must show there.
struct skerry_node_door {
    uint16_t port; // in network byte order
    uint8_t addresses;
    uint8_t token[SKERRY_DOOR_TOKEN];
    uint8_t address[SKERRY_DOOR_ADDRESSES][16]; // IPv6, or IPv4 in the form of IPv6
};

// Begins to wait for a connection of the previous node. Returns this node's door; it has no addresses if that fails.
SKERRY_PRIVATE const struct skerry_node_door *skerry_open_door(void);
// Connects to the next node, accepts the connection of the previous one, and lets both be watched. `previous_pe` and
// `next_pe` are the first PEs of these nodes. Writes a warning if that fails.
SKERRY_PRIVATE void skerry_close_ring(const struct skerry_node_door *next, int previous_pe, int next_pe);

#endif
