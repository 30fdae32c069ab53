// SPDX-License-Identifier: BSD-3-Clause
// Decides whether large puts and gets on a link (the connection to a node) use remote access or messages. Remote access
// is faster if the transport executes it in hardware. If the transport does not, UCX executes remote access by messages
// of its own, which take longer than the messages of this module.
//
// How this file finds out whether the hardware has remote access, because UCX has no function for it:
// * UCX can print an endpoint as text (ucp_ep_print_info). In this text, a lane is a transport that the endpoint uses.
//   A line "put[N]" says that the endpoint puts by lane N without messages.
// * This is not enough, because transports for shared memory reach only memory that UCX itself has allocated. The
//   memory domain (UCX's description of the memory that a transport can access) of such a transport cannot register
//   other memory. (Registration prepares memory for the network.) UCX's lower layer, UCT, reports for each memory
//   domain whether it can register memory.
// * So an endpoint has remote access if it has a lane for puts whose memory domain registers memory and needs a key.
// * Tested with UCX 1.13. If a later version prints no lines "put[N]", the lanes for large transfers (rma_bw) are used
//   instead.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uct/api/uct.h>

#include "internal.h"

#define VARIABLE "SKERRY_NETWORK_PUT"
#define LEAST_OF_ALL 16 // smaller puts use messages, which store a word as a whole and wake a PE that waits for it

// Smallest size in bytes of a put or get that the network hardware executes (remote access) by default. A smaller put
// is collected with others in one message. The number is not measured, because no machine whose network has remote
// access was available.
#define LEAST_USUAL 4097

static enum { BY_TRANSPORT, ALWAYS, NEVER } choice;
static size_t least = LEAST_USUAL;

static void refuse(const char *name, const char *value, const char *rule) {
    char line[512];
    snprintf(line, sizeof line, "shmem_init: %s=%.100s: must be %s", name, value, rule);
    network.host->fail(line);
}

// Checks the user's choice of atomics (SKERRY_ATOMICS). Atomics of the network are not atomic with respect to atomics
// of processors. Near PEs and the library itself use atomics of processors. So atomics of the network cannot be used.
static void check_atomics(void) {
    const char *text = getenv("SKERRY_ATOMICS");
    if (text && *text && strcmp(text, "processor") != 0)
        refuse(
            "SKERRY_ATOMICS", text,
            "'processor' (the default): an atomic that the network adapter executes (nic) is not atomic with respect "
            "to one that a processor executes, and PEs of the same node use atomics of processors");
}

uint64_t choose_access(void) {
    check_atomics();
    const char *text = getenv(VARIABLE);
    if (!text || !*text) return UCP_FEATURE_RMA;
    if (strcmp(text, "message") == 0) {
        choice = NEVER;
        return 0;
    }
    const size_t word = strlen("remote");
    bool is_right = strncmp(text, "remote", word) == 0;
    if (is_right && text[word]) {
        char *end = NULL;
        if (text[word] == ':' && text[word + 1] >= '0' && text[word + 1] <= '9')
            least = strtoul(text + word + 1, &end, 10);
        is_right = end && !*end;
    }
    if (!is_right) refuse(VARIABLE, text, "message, remote or remote:BYTES (smallest size of a put by remote access)");
    choice = ALWAYS;
    if (least < LEAST_OF_ALL) least = LEAST_OF_ALL;
    return UCP_FEATURE_RMA;
}

// -- What UCT knows of a transport -------------------------------------------------------------------------------------

// The type of a function that tests one transport of a memory domain (UCX's description of memory that a transport can
// access). It returns true if the transport is the one that the caller looks for. `given` is the caller's argument.
typedef bool visit_function(const uct_tl_resource_desc_t *transport, const uct_md_attr_t *domain, const void *given);

static bool visit_transports(uct_md_h domain, visit_function *visit, const void *given) {
    uct_md_attr_t attributes;
    uct_tl_resource_desc_t *transports;
    unsigned count;
    bool found = false;
    if (uct_md_query(domain, &attributes) != UCS_OK) return false;
    if (uct_md_query_tl_resources(domain, &transports, &count) != UCS_OK) return false;
    for (unsigned i = 0; i < count; i++) found |= visit(&transports[i], &attributes, given);
    uct_release_tl_resource_list(transports);
    return found;
}

static bool visit_domain(uct_component_h component, const char *name, visit_function *visit, const void *given) {
    uct_md_config_t *config;
    uct_md_h domain;
    bool found = false;
    if (uct_md_config_read(component, NULL, NULL, &config) != UCS_OK) return false;
    if (uct_md_open(component, name, config, &domain) == UCS_OK) {
        found = visit_transports(domain, visit, given);
        uct_md_close(domain);
    }
    uct_config_release(config);
    return found;
}

static bool visit_domains(uct_component_h component, visit_function *visit, const void *given) {
    uct_component_attr_t attributes = {.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCE_COUNT};
    bool found = false;
    if (uct_component_query(component, &attributes) != UCS_OK || attributes.md_resource_count == 0) return false;
    const unsigned count = attributes.md_resource_count;
    attributes.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCES;
    attributes.md_resources = calloc(count, sizeof *attributes.md_resources);
    if (attributes.md_resources && uct_component_query(component, &attributes) == UCS_OK)
        for (unsigned i = 0; i < count; i++)
            found |= visit_domain(component, attributes.md_resources[i].md_name, visit, given);
    free(attributes.md_resources);
    return found;
}

static bool visit_all(visit_function *visit, const void *given) {
    uct_component_h *components;
    unsigned count;
    bool found = false;
    if (uct_query_components(&components, &count) != UCS_OK) return false;
    for (unsigned i = 0; i < count; i++) found |= visit_domains(components[i], visit, given);
    uct_release_component_list(components);
    return found;
}

static bool registers_memory(const uct_md_attr_t *domain) {
    return (domain->cap.flags & UCT_MD_FLAG_REG) && domain->rkey_packed_size > 0;
}

static bool is_named(const uct_tl_resource_desc_t *transport, const uct_md_attr_t *domain, const void *name) {
    return registers_memory(domain) && strcmp(transport->tl_name, name) == 0;
}

static bool is_network(const uct_tl_resource_desc_t *transport, const uct_md_attr_t *domain, const void *unused) {
    (void)unused;
    return registers_memory(domain) && transport->dev_type == UCT_DEVICE_TYPE_NET;
}

bool has_remote_network(void) {
    return visit_all(is_network, NULL);
}

// -- What UCP prints of an endpoint ------------------------------------------------------------------------------------

// Copies the name of a lane's transport. (A lane is a transport that an endpoint uses.) The line has the form "lane[N]:
// R:TRANSPORT/DEVICE ...".
static bool copy_transport(const char *line, char *name, size_t bytes) {
    const char *colon = strchr(line, ':'), *begin = colon ? strchr(colon + 1, ':') : NULL;
    if (!begin) return false;
    const size_t length = strcspn(++begin, "/ \n");
    if (length == 0 || length >= bytes) return false;
    memcpy(name, begin, length);
    name[length] = 0;
    return true;
}

// Returns true if the transport in a line of the text has remote access. Keeps the result for the last transport.
// Reason: UCT needs about 1 ms to find out the result, and the links to all nodes usually use the same transport.
static bool lane_is_remote(const char *line) {
    static char last[UCT_TL_NAME_MAX];
    static bool answer;
    char transport[UCT_TL_NAME_MAX];
    if (!copy_transport(line, transport, sizeof transport)) return false;
    if (strcmp(transport, last) != 0) answer = visit_all(is_named, transport);
    memcpy(last, transport, sizeof last);
    return answer;
}

// Returns true if UCX's text about an endpoint says that the hardware executes puts and gets on it (remote access).
static bool text_has_remote_access(const char *text) {
    if (!strstr(text, "put[")) {
        for (const char *lane = text; (lane = strstr(lane, "lane[")) != NULL; lane++) {
            const char *mark = strstr(lane, "rma_bw#"), *end = strchr(lane, '\n');
            if (mark && mark < end && lane_is_remote(lane)) return true;
        }
        return false;
    }
    for (const char *put = text; (put = strstr(put, "put[")) != NULL; put++) {
        char beginning[32];
        snprintf(beginning, sizeof beginning, "lane[%d]:", atoi(put + strlen("put[")));
        const char *lane = strstr(text, beginning);
        if (lane && lane_is_remote(lane)) return true;
    }
    return false;
}

static bool has_remote_access(ucp_ep_h endpoint) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file) return false;
    ucp_ep_print_info(endpoint, file);
    fclose(file);
    const bool answer = text_has_remote_access(text);
    free(text);
    return answer;
}

bool uses_remote_access(struct link *link, size_t bytes) {
    if (choice == NEVER || bytes < least) return false;
    if (!link->remote) {
        struct remote *remote = calloc(1, sizeof *remote);
        if (!remote) network.host->fail("network (UCX): no memory");
        remote->messages = 1; // possibly some messages were sent before remote access was used
        remote->is_possible = choice == ALWAYS || has_remote_access(link->endpoint);
        link->remote = remote;
    }
    return link->remote->is_possible;
}
