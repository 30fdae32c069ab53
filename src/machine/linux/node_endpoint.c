// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "node_endpoint.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

#include "tcp_request.h"

static bool is_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length])) return true;
    return false;
}

// Adds the addresses of this node to the endpoint, those of IPv4 first. Adds only those of the interfaces in `devices` if
// `is_limited`.
static void add_addresses(struct skerry_node_endpoint *endpoint, struct skerry_own_addresses *own,
                          const struct ifaddrs *all, const char *devices, bool is_limited) {
    static const int families[2] = {AF_INET, AF_INET6};
    for (int i = 0; i < 2; i++)
        for (const struct ifaddrs *at = all; at; at = at->ifa_next) {
            uint8_t address[16];
            if (!at->ifa_addr || at->ifa_addr->sa_family != families[i]) continue;
            if (!(at->ifa_flags & IFF_UP) || at->ifa_flags & IFF_LOOPBACK ||
                !skerry_convert_address(at->ifa_addr, address))
                continue;
            if (own->count < SKERRY_OWN_ADDRESSES && !is_limited)
                memcpy(own->address[own->count++], address, sizeof address);
            if (is_limited && !is_listed(devices, at->ifa_name)) continue;
            if (endpoint->addresses < SKERRY_ENDPOINT_ADDRESSES)
                memcpy(endpoint->address[endpoint->addresses++], address, sizeof address);
        }
}

// UCX uses only the networks that UCX_NET_DEVICES names, so only these are watched. If the variable names no network
// interface, but for example an InfiniBand adapter, all networks are watched.
void skerry_find_addresses(struct skerry_node_endpoint *endpoint, struct skerry_own_addresses *own,
                           const char *devices) {
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) == 0) {
        add_addresses(endpoint, own, all, devices, false);
        const struct skerry_node_endpoint every = *endpoint;
        endpoint->addresses = 0;
        if (devices) add_addresses(endpoint, own, all, devices, true);
        if (endpoint->addresses == 0) *endpoint = every;
        freeifaddrs(all);
    }
    if (endpoint->addresses > 0) return;
    static const uint8_t loopback[16] = {[10] = 0xff, 0xff, 127, 0, 0, 1}; // all nodes are on this machine
    memcpy(endpoint->address[endpoint->addresses++], loopback, sizeof loopback);
}

bool skerry_is_own_address(const struct skerry_own_addresses *own, const uint8_t address[16]) {
    for (int i = 0; i < own->count; i++)
        if (memcmp(own->address[i], address, 16) == 0) return true;
    return false;
}
