// SPDX-License-Identifier: BSD-3-Clause
// Where the process that watches a node's paths listens (node_watch.h): its port, and the addresses of the node in the
// networks that the job uses. The library and skerry-node are built with this file.
#ifndef SKERRY_MACHINE_LINUX_NODE_ENDPOINT_H
#define SKERRY_MACHINE_LINUX_NODE_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKERRY_ENDPOINT_ADDRESSES 8
#define SKERRY_ENDPOINT_TOKEN 16

// Where the watcher of a node listens. The token is a random number that a connecting process must send.
struct skerry_node_endpoint {
    uint16_t port; // in network byte order; 0: the node does not listen
    uint8_t addresses;
    uint8_t reserved;
    uint8_t token[SKERRY_ENDPOINT_TOKEN];
    uint8_t address[SKERRY_ENDPOINT_ADDRESSES][16]; // IPv6, or IPv4 in the form of IPv6
};

// Addresses of this node, in the form of struct skerry_node_endpoint.
#define SKERRY_OWN_ADDRESSES 64 // that are remembered
struct skerry_own_addresses {
    int count;
    uint8_t address[SKERRY_OWN_ADDRESSES][16];
};

// Stores the addresses of this node in `own`, and those that other nodes must use in `endpoint`. `devices` is a list with
// commas, as in UCX_NET_DEVICES, or NULL: if it contains names of network interfaces that have an address, the endpoint has
// only their addresses.
void skerry_find_addresses(struct skerry_node_endpoint *endpoint, struct skerry_own_addresses *own,
                           const char *devices);

// Returns true if this node has the address.
bool skerry_is_own_address(const struct skerry_own_addresses *own, const uint8_t address[16]);

#ifdef __cplusplus
}
#endif

#endif
