// SPDX-License-Identifier: BSD-3-Clause
// Decides whether large puts and gets on a link go by remote access or by messages. Remote access is good if the
// transport executes it in hardware. If it does not, UCX executes it by messages of its own, which take longer than ours.
//
// UCX has no function that tells this. It prints an endpoint as a text (ucp_ep_print_info). A lane is a transport that
// the endpoint uses; a line "put[N]" says that the endpoint puts by lane N without messages. But transports of shared
// memory reach only memory that UCX itself has allocated. Their memory domain cannot register other memory, which UCT
// tells. So an endpoint has remote access if it has a lane for puts whose memory domain registers memory and needs a key.
// Tried with UCX 1.13. Later versions possibly print no lines "put[N]"; then the lanes for large transfers (rma_bw) count.
#include <stdlib.h>
#include <string.h>
#include <uct/api/uct.h>

#include "internal.h"

#define VARIABLE "SKERRY_NETWORK_PUT"
#define LEAST_OF_ALL 16 // words are put by messages, which store them whole and wake a sleeper

// Least size in bytes of a put or get by remote access. A smaller put is gathered with others in one message. Not
// measured: no machine with a network that has remote access was at hand.
#define LEAST_USUAL 4097

static enum { BY_TRANSPORT, ALWAYS, NEVER } choice;
static size_t least = LEAST_USUAL;

// Atomics of the network are not atomic with respect to those of processors. Near PEs use the latter, also inside the
// library, so the former cannot be used.
static void check_atomics(void) {
    const char *text = getenv("SKERRY_ATOMICS");
    if (text && strcmp(text, "processor") != 0)
        network.host->fail(
            "shmem_init: SKERRY_ATOMICS must be processor: atomics of the network (nic) are not atomic with "
            "respect to those of processors, which near PEs use");
}

uint64_t choose_access(void) {
    check_atomics();
    const char *text = getenv(VARIABLE);
    if (text && strcmp(text, "message") == 0) {
        choice = NEVER;
        return 0;
    }
    if (text && strncmp(text, "remote", strlen("remote")) == 0) {
        const char *rest = text + strlen("remote");
        char *end = NULL;
        choice = ALWAYS;
        if (*rest == ':' && rest[1] >= '0' && rest[1] <= '9') least = strtoul(rest + 1, &end, 10);
        if (*rest && (!end || *end)) text = "";
        if (least < LEAST_OF_ALL) least = LEAST_OF_ALL;
    } else if (text) {
        text = "";
    }
    if (text && !*text)
        network.host->fail("shmem_init: " VARIABLE
                           " must be message, remote or remote:BYTES (the least size of a put)");
    return UCP_FEATURE_RMA;
}

// -- What UCT knows of a transport -------------------------------------------------------------------------------------

// Looks for something among the transports of a memory domain. Returns true if it is there.
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

// Copies the name of a lane's transport. The line is "lane[N]: R:TRANSPORT/DEVICE ...".
static bool copy_transport(const char *line, char *name, size_t bytes) {
    const char *colon = strchr(line, ':'), *begin = colon ? strchr(colon + 1, ':') : NULL;
    if (!begin) return false;
    const size_t length = strcspn(++begin, "/ \n");
    if (length == 0 || length >= bytes) return false;
    memcpy(name, begin, length);
    name[length] = 0;
    return true;
}

// Keeps the answer for the last transport, because UCT takes about 1 ms, and the links to all nodes usually have the same
// transport.
static bool lane_is_remote(const char *line) {
    static char last[UCT_TL_NAME_MAX];
    static bool answer;
    char transport[UCT_TL_NAME_MAX];
    if (!copy_transport(line, transport, sizeof transport)) return false;
    if (strcmp(transport, last) != 0) answer = visit_all(is_named, transport);
    memcpy(last, transport, sizeof last);
    return answer;
}

// Returns true if the text has remote access. The text is UCX's description of an endpoint.
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
        remote->messages = 1; // possibly there were some before
        remote->is_possible = choice == ALWAYS || has_remote_access(link->endpoint);
        link->remote = remote;
    }
    return link->remote->is_possible;
}
