// SPDX-License-Identifier: BSD-3-Clause
// Implements puts and gets by remote access: the network hardware executes them. remote.h explains the method.
#include <stdlib.h>

#include "internal.h"

// State of remote access (remote.h) that belongs to no single link (the connection to a node). network.lock protects
// it.
static struct {
    uint64_t fences;      // number of fences of this PE
    struct link *written; // list of all links on which puts by remote access were ever started; no link is removed
} access;

// -- Completion --------------------------------------------------------------------------------------------------------

// Ends a flush (UCX's completion of the puts on a link). Each put that the flush covers counts as a record that this PE
// itself has executed (count.c).
static void end_flush(struct remote *remote) {
    for (; remote->flushed < remote->flushing; remote->flushed++) count_landed();
}

static void flush_is_complete(void *request, ucs_status_t status, void *given) {
    if (status != UCS_OK) fail("a flush failed", status);
    end_flush(((struct link *)given)->remote);
    ucp_request_free(request);
}

// Starts a flush of all puts that have been started until now, if no flush is under way. When the flush is complete,
// the puts are complete in this PE's memory and at the target.
static void begin_flush(struct link *link) {
    struct remote *remote = link->remote;
    if (remote->flushing != remote->flushed || remote->flushed == remote->puts) return;
    remote->flushing = remote->puts;
    const ucp_request_param_t options = parameters(0, flush_is_complete, link);
    ucs_status_ptr_t request = ucp_ep_flush_nbx(link->endpoint, &options);
    check_request("a flush failed", request);
    if (!request) end_flush(remote);
}

void await_puts(struct link *link) {
    if (!link->remote) return;
    const uint64_t puts = link->remote->puts;
    while (link->remote->flushed < puts) {
        begin_flush(link);
        if (link->remote->flushed < puts) step();
    }
}

// Waits until the node has executed all messages that this PE has collected for it until now. These messages include
// signals (network_put_and_signal), for which a quiet usually requests no acknowledgement. So this function counts one
// more operation. The acknowledgement of this operation also acknowledges everything before it.
static void await_messages(struct link *link) {
    struct remote *remote = link->remote;
    const uint64_t messages = remote->messages;
    if (remote->landed >= messages) return;
    count_operation(link);
    const uint64_t operations = link->operations;
    request_acknowledgement(link, operations);
    while (link->acknowledged < operations) step();
    // The request for the acknowledgement is a record too, which comes after the `messages` records. Its
    // acknowledgement has arrived. So the node has executed messages + 1 records.
    if (remote->landed < messages + 1) remote->landed = messages + 1;
}

void fence_puts(void) {
    access.fences++;
}

// Does nothing if this PE has executed no fence since its last put on the link. Else waits for all operations on the
// link's node that began before the fence.
static void await_fenced(struct link *link) {
    const uint64_t fences = access.fences;
    if (link->remote->fences == fences) return;
    await_puts(link);
    await_messages(link);
    if (link->remote->fences < fences) link->remote->fences = fences;
}

void begin_flushes(void) {
    for (struct link *link = access.written; link; link = link->remote->next) begin_flush(link);
}

void end_flushes(void) {
    for (struct link *link = access.written; link; link = link->remote->next) await_puts(link);
}

// -- Operations --------------------------------------------------------------------------------------------------------

static void transfer_is_complete(void *request, ucs_status_t status, void *given) {
    if (status != UCS_OK) fail("a put or get by remote access failed", status);
    if (given) --*(unsigned *)given;
    ucp_request_free(request);
}

static void begun_put_is_complete(void *request, ucs_status_t status, void *begun) {
    if (status != UCS_OK) fail("a put by remote access failed", status);
    end_part(begun);
    ucp_request_free(request);
}

// A part of a get_nbi or of a get that begin_get has begun.
struct part_of_get {
    uint32_t context;
    struct begun *begun;
};

static void end_part_of_get(struct part_of_get *part) {
    end_transfer(TRANSFER_GET, part->context);
    end_part(part->begun);
    free(part);
}

static void get_nbi_is_complete(void *request, ucs_status_t status, void *given) {
    if (status != UCS_OK) fail("a get by remote access failed", status);
    end_part_of_get(given);
    ucp_request_free(request);
}

// Counts a put that is about to start and that the network hardware executes.
static void count_put(struct link *link) {
    struct remote *remote = link->remote;
    remote->puts++;
    count_sent();
    if (remote->is_in_written) return;
    remote->is_in_written = true;
    remote->next = access.written;
    access.written = link;
}

// Starts a put that the network hardware executes. `left` points to the number of transfers of the caller that are
// under way. This put is counted in this number as long as UCX needs the PE's own memory. If the caller does not wait,
// `left` is NULL. `begun` is the transfer to which the put belongs, or NULL.
static void start_put(struct link *link, const struct key *key, uint64_t name, const void *source, size_t bytes,
                      unsigned *left, struct begun *begun) {
    count_put(link);
    count_message(link, bytes);
    const ucp_request_param_t options =
        begun ? parameters(0, begun_put_is_complete, begun) : parameters(0, transfer_is_complete, left);
    ucs_status_ptr_t request =
        ucp_put_nbx(link->endpoint, source, bytes, key->address + (name - key->first), key->handle, &options);
    check_request("a put by remote access failed", request);
    if (request && left) ++*left;
    if (request) begin_part(begun);
}

// Starts a get that the network hardware executes. `left` points to the number of transfers of the caller that are
// under way, as in start_put. If `left` is NULL, the get is counted as a transfer of its context, and as a part of
// `begun`.
static void start_get(struct link *link, const struct key *key, uint64_t name, void *dest, size_t bytes, unsigned *left,
                      struct begun *begun) {
    struct part_of_get *part = NULL;
    if (!left) {
        part = malloc(sizeof *part);
        if (!part) network.host->fail("network (UCX): no memory for messages");
        *part = (struct part_of_get){begin_transfer(TRANSFER_GET), begun};
        begin_part(begun);
    }
    __atomic_fetch_add(&node_of_link(link)->got_bytes, bytes, __ATOMIC_RELAXED);
    const ucp_request_param_t options =
        left ? parameters(0, transfer_is_complete, left) : parameters(0, get_nbi_is_complete, part);
    ucs_status_ptr_t request =
        ucp_get_nbx(link->endpoint, dest, bytes, key->address + (name - key->first), key->handle, &options);
    check_request("a get by remote access failed", request);
    if (request && left) ++*left;
    if (!request && part) end_part_of_get(part);
}

// Returns how many of the `bytes` bytes from this name on are in the piece of memory that contains the name.
static size_t part_in_piece(uint64_t name, size_t bytes) {
    const size_t most = (size_t)(PIECE_MASK + 1 - (name & PIECE_MASK));
    return bytes < most ? bytes : most;
}

void put_remotely(struct link *link, int pe, uint64_t name, const void *source, size_t bytes,
                  struct completion completion) {
    unsigned own = 0, *left = completion.returns ? NULL : &own;
    for (size_t at = 0, part; at < bytes; at += part) {
        part = part_in_piece(name + at, bytes - at);
        const struct key *key = key_for(link, pe, name + at);
        if (key->handle) {
            await_fenced(link);
            start_put(link, key, name + at, (const char *)source + at, part, left, completion.begun);
        } else {
            send_put(link, pe, name + at, (const char *)source + at, part, completion);
        }
    }
    while (*(volatile unsigned *)&own > 0) step();
}

void get_remotely(struct link *link, void *dest, int pe, uint64_t name, size_t bytes, struct completion completion) {
    unsigned own = 0, *left = completion.returns ? NULL : &own;
    if (!completion.returns) {
        await_puts(link);
        await_messages(link);
    }
    for (size_t at = 0, part; at < bytes; at += part) {
        part = part_in_piece(name + at, bytes - at);
        const struct key *key = key_for(link, pe, name + at);
        if (key->handle) start_get(link, key, name + at, (char *)dest + at, part, left, completion.begun);
        else if (completion.returns) send_get_nbi(link, (char *)dest + at, pe, name + at, part, completion.begun);
        else send_get(link, (char *)dest + at, pe, name + at, part);
    }
    while (*(volatile unsigned *)&own > 0) step();
}
