// SPDX-License-Identifier: BSD-3-Clause
// Connects the nodes of a job in a ring, so that the job ends if a node ends or cannot be reached. Used for jobs that a
// process manager, such as srun, has started. The first PE of each node has two TCP connections: to the first PE of the
// previous node, and to the first PE of the next node. The connections carry no data of the program.
//
// The kernel ends a connection if the other process ends, or if the other node does not answer for SILENCE_SECONDS. The
// thread of neighbours.c that watches the PEs of this node also watches these connections.
#define _GNU_SOURCE
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "node_ring.h"

#define SILENCE_SECONDS 7
#define CONNECT_MILLISECONDS 5000

static int listener = -1;
static struct skerry_node_endpoint own_endpoint;

// Adds an address to own_endpoint, in the form of IPv6. Leaves out link-local addresses. A node that connects to a
// link-local address must name one of its own network interfaces. It does not know which interface leads to this node.
static void add_address(const struct sockaddr *address) {
    struct in6_addr found;
    if (own_endpoint.addresses == SKERRY_ENDPOINT_ADDRESSES) return;
    if (address->sa_family == AF_INET) {
        memset(&found, 0, sizeof found);
        found.s6_addr[10] = found.s6_addr[11] = 0xff;
        memcpy(&found.s6_addr[12], &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
    } else if (address->sa_family == AF_INET6) {
        found = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        if (IN6_IS_ADDR_LINKLOCAL(&found)) return;
    } else {
        return;
    }
    memcpy(own_endpoint.address[own_endpoint.addresses++], &found, sizeof found);
}

static void add_addresses(void) {
    struct ifaddrs *all;
    if (getifaddrs(&all) != 0) return;
    for (const struct ifaddrs *at = all; at; at = at->ifa_next)
        if (at->ifa_addr && at->ifa_flags & IFF_UP && !(at->ifa_flags & IFF_LOOPBACK)) add_address(at->ifa_addr);
    freeifaddrs(all);
}

const struct skerry_node_endpoint *skerry_open_endpoint(void) {
    struct sockaddr_in6 any = {.sin6_family = AF_INET6};
    socklen_t bytes = sizeof any;
    const int no = 0;
    listener = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return &own_endpoint;
    setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (bind(listener, (const struct sockaddr *)&any, sizeof any) == 0 && listen(listener, 8) == 0 &&
        getsockname(listener, (struct sockaddr *)&any, &bytes) == 0 &&
        getrandom(own_endpoint.token, sizeof own_endpoint.token, 0) == (ssize_t)sizeof own_endpoint.token) {
        own_endpoint.port = any.sin6_port;
        add_addresses();
    }
    return &own_endpoint;
}

static void watch_silence(int socket) {
    const int yes = 1, idle = 2, interval = 1, count = SILENCE_SECONDS - 2, limit = SILENCE_SECONDS * 1000;
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof limit);
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

// Begins a connection to address number `index` of an endpoint. Returns the socket, or -1 if that is not possible.
static int begin_connection(const struct skerry_node_endpoint *endpoint, int index) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = endpoint->port};
    memcpy(&address.sin6_addr, endpoint->address[index], sizeof address.sin6_addr);
    const int opened = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (opened < 0 || connect(opened, (const struct sockaddr *)&address, sizeof address) == 0 || errno == EINPROGRESS)
        return opened;
    close(opened);
    return -1;
}

// Returns true if the connection that was begun on this socket now exists.
static bool is_connected(int socket) {
    int error = 1;
    socklen_t bytes = sizeof error;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0 && error == 0;
}

// Connects to an endpoint. Tries all its addresses at the same time and takes the first connection that succeeds.
// Returns the socket, or -1 if no connection succeeds.
static int connect_to_endpoint(const struct skerry_node_endpoint *endpoint) {
    struct pollfd tries[SKERRY_ENDPOINT_ADDRESSES];
    const int count = endpoint->addresses < SKERRY_ENDPOINT_ADDRESSES ? endpoint->addresses : SKERRY_ENDPOINT_ADDRESSES;
    int found = -1, open = 0;
    for (int i = 0; i < count; i++) {
        tries[i] = (struct pollfd){.fd = begin_connection(endpoint, i), .events = POLLOUT};
        if (tries[i].fd >= 0) open++;
    }
    while (found < 0 && open > 0 && poll(tries, (nfds_t)count, CONNECT_MILLISECONDS) > 0) {
        for (int i = 0; i < count && found < 0; i++) {
            if (tries[i].fd < 0 || !tries[i].revents) continue;
            if (is_connected(tries[i].fd)) {
                found = tries[i].fd;
            } else {
                close(tries[i].fd);
                open--;
            }
            tries[i].fd = -1;
        }
    }
    for (int i = 0; i < count; i++)
        if (tries[i].fd >= 0) close(tries[i].fd);
    return found;
}

// Accepts the connection of the previous node. Closes the connection of any process that does not send the token (a
// random number) of own_endpoint.
static int accept_previous(void) {
    for (int i = 0; i < 100; i++) {
        uint8_t token[SKERRY_ENDPOINT_TOKEN];
        if (poll(&(struct pollfd){.fd = listener, .events = POLLIN}, 1, CONNECT_MILLISECONDS) <= 0) return -1;
        const int guest = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (guest < 0) continue;
        if (poll(&(struct pollfd){.fd = guest, .events = POLLIN}, 1, CONNECT_MILLISECONDS) > 0 &&
            recv(guest, token, sizeof token, 0) == (ssize_t)sizeof token &&
            memcmp(token, own_endpoint.token, sizeof token) == 0)
            return guest;
        close(guest);
    }
    return -1;
}

void skerry_close_ring(const struct skerry_node_endpoint *next, int previous_pe, int next_pe) {
    const int to_next = connect_to_endpoint(next);
    if (to_next >= 0 && sendto(to_next, next->token, sizeof next->token, MSG_NOSIGNAL, NULL, 0) < 0)
        skerry_say("warning: PE %d does not answer; if its node fails, this job possibly does not end", next_pe);
    const int to_previous = listener < 0 ? -1 : accept_previous();
    if (to_next < 0 || to_previous < 0)
        skerry_say("warning: no TCP connection to PE %d; if its node fails, this job possibly does not end",
                   to_next < 0 ? next_pe : previous_pe);
    if (listener >= 0) close(listener);
    listener = -1;
    if (to_next >= 0) watch_silence(to_next);
    if (to_previous >= 0) watch_silence(to_previous);
    skerry_watch_nodes(to_previous, previous_pe, to_next, next_pe);
}
