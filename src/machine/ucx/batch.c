// SPDX-License-Identifier: BSD-3-Clause
// Collects small operations on far PEs in one batch for each node, and sends the batches.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define SENDS_MOST 256 // largest number of batches that are under way at the same time

static void fail_to_send(int node, ucs_status_t status) {
    char what[NODE_TEXT_BYTES + 64], there[NODE_TEXT_BYTES];
    snprintf(what, sizeof what, "could not send a message to %s", describe_node(node, there));
    fail(what, status);
}

static void batch_is_sent(void *request, ucs_status_t status, void *given) {
    if (status != UCS_OK) fail_to_send(((struct send *)given)->node, status);
    give_back(given);
    network.sends_under_way--;
    ucp_request_free(request);
}

static struct send *new_batch(void) {
    struct send *send = new_send();
    const struct batch_head head = {.from = (uint32_t)network.host->my_pe};
    memcpy(send->data, &head, sizeof head);
    send->used = sizeof head;
    return send;
}

// Sends a batch to a node by this endpoint.
static void submit(ucp_ep_h endpoint, int node, struct send *send, bool is_known) {
    send->node = node;
    network.sends_under_way++;
    ucs_status_ptr_t request;
    if (is_known && send->used <= SHORT_BYTES_MAX) {
        request = send_short(endpoint, MESSAGE_BATCH, send, batch_is_sent);
    } else {
        const uint32_t flags = UCP_AM_SEND_FLAG_EAGER | (is_known ? 0 : (uint32_t)UCP_AM_SEND_FLAG_REPLY);
        const ucp_request_param_t options = parameters(flags, batch_is_sent, send);
        request = ucp_am_send_nbx(endpoint, MESSAGE_BATCH, NULL, 0, send->data, send->used, &options);
    }
    if (UCS_PTR_IS_ERR(request)) fail_to_send(node, UCS_PTR_STATUS(request));
    if (!request) {
        network.sends_under_way--;
        give_back(send);
    }
}

// Returns true if puts by remote access to this node are possibly not complete. (Remote access: the network hardware
// itself executes the put, remote.h.)
static bool has_puts(const struct link *link) {
    return link->remote && link->remote->flushed < link->remote->puts;
}

void send_batch(struct link *link) {
    // The loop can release the lock, so other threads can append to this batch or send it. So the batch is taken from
    // the link only after the loop. If it were taken before, a later batch could overtake it. The loop also waits for
    // puts that the network hardware executes (remote.h), so that the batch takes effect after them.
    while (link->open && (network.sends_under_way >= SENDS_MOST || has_puts(link))) {
        await_puts(link);
        if (network.sends_under_way >= SENDS_MOST) step();
    }
    struct send *send = link->open;
    if (!send) return;
    link->open = NULL;
    count_message(link, send->used);
    submit(link->endpoint, (int)(link - network.links), send, link->is_known);
    link->is_known = true;
}

// Early requests for acknowledgements. Suppose that a program repeats these steps: put, wait for a neighbour, quiet,
// compute. The wait sends the operations, and the quiet then finds only operations that are sent. If the quiet requests
// the acknowledgement, the neighbour possibly computes already, and its helper thread answers after up to 1 ms
// (helper.c). So after such a quiet, the next batches that a wait or the helper thread sends also carry the request. The
// port answers it while it executes the batch.
//
// The answer is one more message. Most programs with waits but without quiets must not pay for it, so early requests
// end after EARLY_REQUESTS batches without a quiet.
#define EARLY_REQUESTS 4

void note_quiet(struct link *link, uint64_t operations) {
    if (link->requested < operations && !link->open) link->early_requests = EARLY_REQUESTS;
}

// Returns true if the open batch of the link must carry an early request.
static bool requests_early(struct link *link) {
    if (!link->open || link->early_requests == 0 || link->requested >= link->operations) return false;
    if (link->quiets != network.quiets) link->early_requests = EARLY_REQUESTS;
    link->quiets = network.quiets;
    link->early_requests--;
    return true;
}

void send_batches(void) {
    while (network.open) {
        struct link *link = network.open;
        network.open = link->next_open;
        link->is_in_open = false;
        if (requests_early(link)) request_acknowledgement(link, link->operations);
        else send_batch(link);
    }
}

void count_operation(struct link *link) {
    const bool is_listed = link->operations != link->acknowledged;
    link->operations++;
    account_for_operation(link);
    if (is_listed) return;
    link->next_active = network.active;
    link->to_active = &network.active;
    if (network.active) network.active->to_active = &link->next_active;
    network.active = link;
}

void acknowledge(struct link *link, uint64_t operations) {
    if (operations <= link->acknowledged) return;
    link->acknowledged = operations;
    if (operations < link->operations) return;
    *link->to_active = link->next_active;
    if (link->next_active) link->next_active->to_active = link->to_active;
}

void keep_message(int pe, int number, const void *message, size_t bytes) {
    struct kept *kept = malloc(sizeof *kept + bytes);
    if (!kept) network.host->fail("network (UCX): no memory for messages");
    *kept = (struct kept){.pe = pe, .number = number, .bytes = bytes};
    memcpy(kept->message, message, bytes);
    count_sent();
    if (network.kept) network.last_kept->next = kept;
    else network.kept = kept;
    network.last_kept = kept;
}

// Sends all messages that handlers have kept. A send calls ucp_worker_progress, which can run handlers that keep more
// messages. The send also releases the lock for a time, so other threads can call this function. So each message is
// removed from the list before it is sent.
void send_kept_messages(void) {
    while (network.kept) {
        struct kept *kept = network.kept;
        network.kept = kept->next;
        send_message_at_once(kept->pe, kept->number, kept->message, kept->bytes);
        count_landed();
        free(kept);
    }
}

// Returns the address of `bytes` free bytes in the batch for a node (the link's node).
static char *room(struct link *link, size_t bytes) {
    // send_batch can release the lock. Then another thread can begin the next batch and fill it. So the test is
    // repeated.
    while (link->open && link->open->used + bytes > BATCH_BYTES) send_batch(link);
    if (!link->open) link->open = new_batch();
    if (!link->is_in_open) {
        link->is_in_open = true;
        link->next_open = network.open;
        network.open = link;
    }
    count_sent();
    if (link->remote) link->remote->messages++;
    char *place = link->open->data + link->open->used;
    link->open->used += (uint32_t)bytes;
    return place;
}

static size_t padded(size_t bytes) {
    return (bytes + 7) & ~(size_t)7;
}

void append_data(struct link *link, const struct record *record, const void *data, size_t bytes) {
    char *place = room(link, sizeof *record + padded(bytes));
    memcpy(place, record, sizeof *record);
    memcpy(place + sizeof *record, data, bytes);
}

void append_operands(struct link *link, const struct record *record, const struct operands *operands) {
    char *place = room(link, sizeof *record + sizeof *operands);
    memcpy(place, record, sizeof *record);
    memcpy(place + sizeof *record, operands, sizeof *operands);
}

void append_message(struct link *link, const struct record *record, const struct operands *operands, const void *data) {
    char *place = room(link, sizeof *record + sizeof *operands + padded(record->bytes));
    memcpy(place, record, sizeof *record);
    memcpy(place + sizeof *record, operands, sizeof *operands);
    memcpy(place + sizeof *record + sizeof *operands, data, record->bytes);
}

void put_back(ucp_ep_h endpoint, int pe, uint64_t name, const void *data, size_t bytes) {
    const int node = node_of(pe);
    const struct record record = record_for(&network.links[node], pe, name, bytes, RECORD_PUT);
    struct send *send = new_batch();
    memcpy(send->data + send->used, &record, sizeof record);
    memcpy(send->data + send->used + sizeof record, data, bytes);
    send->used += (uint32_t)(sizeof record + padded(bytes));
    count_sent();
    submit(endpoint, node, send, true); // the batch has nothing that needs a reply
}

struct record record_for(const struct link *link, int pe, uint64_t name, size_t bytes, unsigned kind) {
    const int first = skerry_nodes(network.host->wire_up)[link - network.links].first;
    return (struct record){name, (uint32_t)bytes, (uint16_t)(pe - first), (uint16_t)kind};
}
