// SPDX-License-Identifier: BSD-3-Clause
// Connects to a node at first use, and ends the job if this is not possible.
//
// Over TCP, UCX connects in ucp_ep_create, and the calling thread waits in connect(). The kernel of the other node
// answers the request for a connection, even if all processes there are stopped or get no processor time. So if no
// answer comes, no process of the other node is the reason. The kernel of this node gives up after two minutes. The
// helper thread ends the job earlier (watch_connection). UCX_TCP_SYN_CNT would make the kernel give up earlier, but UCX
// 1.13 stores this value with 8 bytes in a variable of 4 bytes, and then ucp_worker_create fails.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define SECOND UINT64_C(1000000000) // nanoseconds
#define REPORT_SECONDS 2            // for the first node to report a difference between the nodes

// -- Addresses and names -----------------------------------------------------------------------------------------------

// The table of nodes contains for each port: the port's program (struct skerry_program), the name of the port's host, a
// byte 0, padding up to a multiple of 8 bytes, and then UCX's address.
#define PROGRAM_BYTES sizeof(struct skerry_program)

static size_t padded_name_bytes(const char *name) {
    return (strnlen(name, HOST_NAME_BYTES - 1) / 8 + 1) * 8;
}

void write_address(struct skerry_port *port, const ucp_address_t *address, size_t bytes) {
    char name[HOST_NAME_BYTES] = "";
    gethostname(name, sizeof name - 1);
    const size_t room = sizeof port->address - PROGRAM_BYTES;
    if (padded_name_bytes(name) + bytes > room) name[0] = 0; // messages then have the node's number
    const size_t name_bytes = padded_name_bytes(name);
    if (name_bytes + bytes > room) network.host->fail("network (UCX): the address of this PE is too long");
    uint8_t *to = port->address;
    memcpy(to, &network.host->program, PROGRAM_BYTES);
    memset(to + PROGRAM_BYTES, 0, name_bytes);
    memcpy(to + PROGRAM_BYTES, name, strlen(name));
    memcpy(to + PROGRAM_BYTES + name_bytes, address, bytes);
    port->bytes = (uint32_t)(PROGRAM_BYTES + name_bytes + bytes);
}

static const char *host_of(const struct skerry_port *port) {
    return (const char *)port->address + PROGRAM_BYTES;
}

static const ucp_address_t *address_of(const struct skerry_port *port) {
    return (const ucp_address_t *)(port->address + PROGRAM_BYTES + padded_name_bytes(host_of(port)));
}

const char *describe_node(int node, char *text) {
    const struct skerry_node *there = &skerry_nodes(network.host->wire_up)[node];
    const int last = there->first + there->count - 1;
    char number[16];
    const char *name = host_of(&there->port[0]);
    snprintf(number, sizeof number, "%d", node);
    if (!*name) name = number;
    if (there->count == 1) snprintf(text, NODE_TEXT_BYTES, "node %.*s (PE %d)", HOST_NAME_BYTES, name, there->first);
    else snprintf(text, NODE_TEXT_BYTES, "node %.*s (PEs %d-%d)", HOST_NAME_BYTES, name, there->first, last);
    return text;
}

void check_programs(void) {
    const int own = network.host->node;
    char text[600], here[NODE_TEXT_BYTES], there[NODE_TEXT_BYTES];
    for (uint32_t node = 0; node < network.host->wire_up->node_count; node++) {
        struct skerry_program program;
        memcpy(&program, skerry_nodes(network.host->wire_up)[node].port[0].address, PROGRAM_BYTES);
        if ((int)node == own || skerry_is_same_program(&program, &network.host->program)) continue;
        // If two nodes differ, one of them differs from the first node. So the first node reports at once, and the
        // launcher ends the others meanwhile.
        if (own != 0) sleep_nanoseconds(REPORT_SECONDS * SECOND);
        snprintf(
            text, sizeof text,
            "network (UCX): %s runs another program than %s: their files differ; all PEs of a job must run the same "
            "program",
            describe_node((int)node, there), describe_node(own, here));
        network.host->fail(text);
    }
}

// -- Connecting --------------------------------------------------------------------------------------------------------

#define SILENCE_SECONDS 15 // limit of the time for which the other node does not answer at all
#define PASS_MOST (SECOND / 10)
#define NODE_PAUSE (SECOND / 5)
#define NODE_PAUSES_MOST 10

// Waits before this PE ends the job because it cannot connect. `waited` is the time that the attempt took.
// * If a process of the other node has ended, its port refuses the connection at once, and the launcher reports the
//   process soon. If the other node has ended, the attempt takes some seconds, and the launcher needs LAUNCHER_SECONDS.
// * Usually several nodes cannot connect at the same time. The first node ends the job before the others write a line.
static void leave_it_to_others(uint64_t waited) {
    const uint64_t needed = waited < SECOND ? 3 * SECOND : LAUNCHER_SECONDS * SECOND;
    const int node = network.host->node;
    sleep_nanoseconds((needed > waited ? needed - waited : 0) +
                      NODE_PAUSE * (uint64_t)(node < NODE_PAUSES_MOST ? node : NODE_PAUSES_MOST));
}

static void fail_to_connect(int node, ucs_status_t status, uint64_t waited) {
    char text[1200], here[NODE_TEXT_BYTES], there[NODE_TEXT_BYTES], choices[300], missing[600];
    const char *open = " (", *close = ")";
    describe_node(network.host->node, here);
    describe_node(node, there);
    list_choices(choices, sizeof choices);
    if (!*choices) open = close = "";
    if (waited >= SILENCE_SECONDS * SECOND)
        snprintf(
            text, sizeof text,
            "network (UCX): %s gets no answer from %s within %u seconds: can the nodes reach each other's ports? A "
            "firewall, or a network that they do not share (UCX_NET_DEVICES, UCX_TLS), can be the reason",
            here, there, (unsigned)(waited / SECOND));
    else if (describe_missing_device(missing, sizeof missing))
        snprintf(text, sizeof text, "network (UCX): %s cannot connect to %s: %s", here, there, missing);
    else
        snprintf(text, sizeof text,
                 "network (UCX): %s cannot connect to %s: %s%s%s%s: the nodes need a network that both use "
                 "(UCX_NET_DEVICES, UCX_TLS), and no firewall that rejects connections between them",
                 here, there, ucs_status_string(status), open, choices, close);
    network.host->fail(text);
}

static struct link *connecting; // the link whose connection a thread is making now; written under the lock

// The time that counts is the time in which this process runs: between two calls at most PASS_MOST. So a process that
// was stopped gives the other node the full time.
void watch_connection(void) {
    static const struct link *watched;
    static uint64_t waited, last;
    const struct link *link = __atomic_load_n(&connecting, __ATOMIC_ACQUIRE);
    if (!link) {
        watched = NULL;
        return;
    }
    const uint64_t now = nanoseconds();
    if (link != watched) waited = 0;
    else waited += now - last < PASS_MOST ? now - last : PASS_MOST;
    watched = link;
    last = now;
    if (waited < SILENCE_SECONDS * SECOND) return;
    leave_it_to_others(waited);
    if (__atomic_load_n(&connecting, __ATOMIC_ACQUIRE) == link)
        fail_to_connect((int)(link - network.links), UCS_ERR_TIMED_OUT, waited);
}

int node_of(int pe) {
    struct skerry_wire_up *wire_up = network.host->wire_up;
    uint32_t low = 0, high = wire_up->node_count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (skerry_nodes(wire_up)[middle].first <= pe) low = middle;
        else high = middle;
    }
    return (int)low;
}

struct link *link_to_node(int node) {
    struct link *link = &network.links[node];
    if (link->endpoint) return link;
    if (!network.worker) {
        open_worker();
        start_helper();
    }
    await_addresses();
    const struct skerry_node *there = &skerry_nodes(network.host->wire_up)[node];
    unsigned own = (unsigned)(network.host->my_pe - skerry_nodes(network.host->wire_up)[network.host->node].first);
    const ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                                    .address = address_of(&there->port[own % there->ports])};
    skerry_use_node(network.host->wire_up, (uint32_t)node);
    const uint64_t begun = nanoseconds();
    __atomic_store_n(&connecting, link, __ATOMIC_RELEASE);
    const ucs_status_t status = ucp_ep_create(network.worker, &params, &link->endpoint);
    __atomic_store_n(&connecting, NULL, __ATOMIC_RELEASE);
    if (status == UCS_OK) return link;
    const uint64_t waited = nanoseconds() - begun;
    leave_it_to_others(waited);
    fail_to_connect(node, status, waited);
    return link;
}

struct link *link_to(int pe) {
    return link_to_node(node_of(pe));
}
