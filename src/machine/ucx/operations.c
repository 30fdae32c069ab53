// SPDX-License-Identifier: BSD-3-Clause
// Implements the operations on far PEs: puts, gets, atomics, fence and quiet.
#include <stdlib.h>

#include "internal.h"

#define GATHERED_BYTES_MAX SKERRY_NETWORK_COPIED_MAX // a larger put is a message of its own
#define PIECE_BYTES ((size_t)1 << 30)                // largest message; a longer put or get is made of several

static void wait_for(struct pending *pending) {
    while (!pending->done) step();
}

// -- Transfers that end later ------------------------------------------------------------------------------------------

static struct begun *new_begun(skerry_network_ended *ended, void *given) {
    struct begun *begun = malloc(sizeof *begun);
    if (!begun) network.host->fail("network (UCX): no memory for messages");
    *begun = (struct begun){.parts = 1, .ended = ended, .given = given};
    count_sent(); // the thread possibly sleeps until the transfer ends, so the launcher must not see a deadlock
    return begun;
}

void begin_part(struct begun *begun) {
    if (begun) begun->parts++;
}

// -- Puts --------------------------------------------------------------------------------------------------------------

static void end_large_put(struct large_put *put) {
    end_transfer(put->kind, put->context);
    end_part(put->begun);
    free(put);
}

static void put_is_sent(void *request, ucs_status_t status, void *given) {
    if (status != UCS_OK) fail("a put was not sent", status);
    end_large_put(given);
    ucp_request_free(request);
}

void send_put(struct link *link, int pe, uint64_t name, const void *source, size_t bytes,
              struct completion completion) {
    send_batch(link);
    count_operation(link);
    struct large_put *put = malloc(sizeof *put); // UCX reads the record until the message is sent
    if (!put) network.host->fail("network (UCX): no memory for messages");
    const enum transfer kind = completion.begun ? TRANSFER_BEGUN_PUT : TRANSFER_PUT;
    const uint32_t context = begin_transfer(kind);
    begin_part(completion.begun);
    *put = (struct large_put){record_for(link, pe, name, bytes, RECORD_PUT), kind, context, completion.begun};
    const uint32_t flags = bytes <= EAGER_BYTES_MAX ? (uint32_t)UCP_AM_SEND_FLAG_EAGER : 0;
    const ucp_request_param_t options = parameters(flags, put_is_sent, put);
    count_message(link, sizeof put->record + bytes);
    count_sent();
    ucs_status_ptr_t request =
        ucp_am_send_nbx(link->endpoint, MESSAGE_PUT, &put->record, sizeof put->record, source, bytes, &options);
    check_request("a put was not sent", request);
    if (!request) end_large_put(put);
    // The wait also includes earlier put_nbi of the same context, because the count does not show which of the puts
    // have ended.
    if (!completion.returns) wait_for_transfers(TRANSFER_PUT, context);
}

static size_t piece_of(size_t bytes) {
    return bytes < PIECE_BYTES ? bytes : PIECE_BYTES;
}

// The caller has the lock (network.lock).
static void put_piecewise(int pe, uint64_t name, const void *source, size_t bytes, struct completion completion) {
    struct link *link = link_to(pe);
    if (uses_remote_access(link, bytes)) {
        put_remotely(link, pe, name, source, bytes, completion);
    } else if (bytes <= GATHERED_BYTES_MAX) {
        const struct record record = record_for(link, pe, name, bytes, RECORD_PUT);
        append_data(link, &record, source, bytes);
        count_operation(link);
    } else {
        for (size_t at = 0; at < bytes; at += PIECE_BYTES)
            send_put(link, pe, name + at, (const char *)source + at, piece_of(bytes - at), completion);
    }
}

void network_put(int pe, uint64_t name, const void *source, size_t bytes) {
    pthread_mutex_lock(&network.lock);
    put_piecewise(pe, name, source, bytes, (struct completion){.returns = false});
    pthread_mutex_unlock(&network.lock);
}

void network_put_nbi(int pe, uint64_t name, const void *source, size_t bytes) {
    pthread_mutex_lock(&network.lock);
    put_piecewise(pe, name, source, bytes, (struct completion){.returns = true});
    pthread_mutex_unlock(&network.lock);
}

void network_begin_put(int pe, uint64_t name, const void *source, size_t bytes, skerry_network_ended *ended,
                       void *given) {
    pthread_mutex_lock(&network.lock);
    struct begun *begun = new_begun(ended, given);
    put_piecewise(pe, name, source, bytes, (struct completion){.returns = true, .begun = begun});
    end_part(begun);
    pthread_mutex_unlock(&network.lock);
}

// Messages to one node stay in order, except messages that UCX transfers by a rendezvous (network_fence). A put by
// remote access is complete before the next message is sent to its node (send_batch), and before later puts by remote
// access because of fence_puts.
void network_order_begun_puts(void) {
    // Without the lock. This thread sees the puts that it has begun itself, and the puts of other threads whose begin
    // happened before this call.
    if (__atomic_load_n(&network.transfers[TRANSFER_BEGUN_PUT], __ATOMIC_RELAXED) == 0) return;
    pthread_mutex_lock(&network.lock);
    fence_puts();
    wait_for_transfers(TRANSFER_BEGUN_PUT, 0);
    pthread_mutex_unlock(&network.lock);
}

// -- Gets --------------------------------------------------------------------------------------------------------------

void network_put_now(int pe, uint64_t name, const void *source, size_t bytes) {
    network_put(pe, name, source, bytes);
    pthread_mutex_lock(&network.lock);
    send_batch(link_to(pe));
    pthread_mutex_unlock(&network.lock);
}

static void request_get(struct link *link, struct pending *pending, int pe, uint64_t name, size_t bytes) {
    __atomic_fetch_add(&node_of_link(link)->got_bytes, bytes, __ATOMIC_RELAXED);
    const struct record record = record_for(link, pe, name, bytes, RECORD_GET);
    const struct operands operands = {.token = (uintptr_t)pending};
    append_operands(link, &record, &operands);
    send_batch(link);
}

void send_get(struct link *link, void *dest, int pe, uint64_t name, size_t bytes) {
    for (size_t at = 0; at < bytes; at += PIECE_BYTES) {
        struct pending pending = {.link = link, .dest = (char *)dest + at};
        request_get(link, &pending, pe, name + at, piece_of(bytes - at));
        wait_for(&pending);
    }
}

void send_get_nbi(struct link *link, void *dest, int pe, uint64_t name, size_t bytes, struct begun *begun) {
    for (size_t at = 0; at < bytes; at += PIECE_BYTES) {
        struct pending *pending = calloc(1, sizeof *pending);
        if (!pending) network.host->fail("network (UCX): no memory for messages");
        pending->link = link;
        pending->dest = (char *)dest + at;
        pending->is_counted = true;
        pending->context = begin_transfer(TRANSFER_GET);
        pending->begun = begun;
        begin_part(begun);
        request_get(link, pending, pe, name + at, piece_of(bytes - at));
    }
}

void network_get(void *dest, int pe, uint64_t name, size_t bytes) {
    pthread_mutex_lock(&network.lock);
    struct link *link = link_to(pe);
    if (uses_remote_access(link, bytes))
        get_remotely(link, dest, pe, name, bytes, (struct completion){.returns = false});
    else send_get(link, dest, pe, name, bytes);
    pthread_mutex_unlock(&network.lock);
}

// The caller has the lock (network.lock).
static void start_get_nbi(void *dest, int pe, uint64_t name, size_t bytes, struct begun *begun) {
    struct link *link = link_to(pe);
    if (uses_remote_access(link, bytes))
        get_remotely(link, dest, pe, name, bytes, (struct completion){.returns = true, .begun = begun});
    else send_get_nbi(link, dest, pe, name, bytes, begun);
}

void network_get_nbi(void *dest, int pe, uint64_t name, size_t bytes) {
    pthread_mutex_lock(&network.lock);
    start_get_nbi(dest, pe, name, bytes, NULL);
    pthread_mutex_unlock(&network.lock);
}

void network_begin_get(void *dest, int pe, uint64_t name, size_t bytes, skerry_network_ended *ended, void *given) {
    pthread_mutex_lock(&network.lock);
    struct begun *begun = new_begun(ended, given);
    start_get_nbi(dest, pe, name, bytes, begun);
    end_part(begun);
    pthread_mutex_unlock(&network.lock);
}

// -- Atomics, messages and signals -------------------------------------------------------------------------------------

uint64_t network_atomic(enum skerry_far_operation operation, unsigned bytes, int pe, uint64_t name, uint64_t value,
                        uint64_t expected) {
    uint64_t old = 0;
    struct pending pending = {.dest = &old};
    const bool fetches = operation <= SKERRY_FAR_FETCH_XOR;
    pthread_mutex_lock(&network.lock);
    struct link *link = pending.link = link_to(pe);
    const struct record record = record_for(link, pe, name, bytes, operation);
    const struct operands operands = {fetches ? (uintptr_t)&pending : 0, value, expected};
    append_operands(link, &record, &operands);
    if (fetches) {
        send_batch(link);
        wait_for(&pending);
    } else {
        count_operation(link);
    }
    pthread_mutex_unlock(&network.lock);
    return old;
}

// Appends a message to the batch for the link's node, and sends the batch. The caller has the lock (network.lock).
static void send_message(struct link *link, int pe, int number, const void *message, size_t bytes, uint64_t token) {
    const struct record record = record_for(link, pe, (uint64_t)number, bytes, RECORD_MESSAGE);
    const struct operands operands = {.token = token, .value = (uint64_t)network.host->my_pe};
    append_message(link, &record, &operands, message);
    send_batch(link);
}

size_t network_ask(int pe, int number, const void *message, size_t bytes, void *answer) {
    struct pending pending = {.dest = answer};
    pthread_mutex_lock(&network.lock);
    pending.link = link_to(pe);
    send_message(pending.link, pe, number, message, bytes, (uintptr_t)&pending);
    wait_for(&pending);
    pthread_mutex_unlock(&network.lock);
    return pending.bytes;
}

void send_message_at_once(int pe, int number, const void *message, size_t bytes) {
    struct link *link = link_to(pe);
    send_message(link, pe, number, message, bytes, 0);
    // The operation is counted after its record was appended to the batch. If it were counted before, a quiet of
    // another thread could wait for an operation that is not sent.
    count_operation(link);
}

void network_send(int pe, int number, const void *message, size_t bytes) {
    if (is_handling()) {
        keep_message(pe, number, message, bytes);
        return;
    }
    pthread_mutex_lock(&network.lock);
    send_message_at_once(pe, number, message, bytes);
    pthread_mutex_unlock(&network.lock);
}

void network_request(int pe, int number, const void *message, size_t bytes, uint64_t answer) {
    pthread_mutex_lock(&network.lock);
    struct link *link = link_to(pe);
    const struct record record = record_for(link, pe, (uint64_t)number, bytes, RECORD_MESSAGE);
    const struct operands operands = {.value = (uint64_t)network.host->my_pe, .expected = answer};
    append_message(link, &record, &operands, message);
    send_batch(link);
    pthread_mutex_unlock(&network.lock);
}

// Puts data and then changes a signal. Why the signal always changes after the data:
// * Small data is in the same batch as the change of the signal.
// * Larger data is a message of its own, which is sent before the batch.
// * UCX possibly transfers this message by a rendezvous (the receiver reads the data later). Then the put waits until
//   the receiver has the data.
void network_put_and_signal(int pe, uint64_t name, const void *source, size_t bytes, uint64_t signal, uint64_t value,
                            bool adds) {
    pthread_mutex_lock(&network.lock);
    struct link *link = link_to(pe);
    const bool is_gathered = bytes <= GATHERED_BYTES_MAX && !uses_remote_access(link, bytes);
    if (!is_gathered) {
        pthread_mutex_unlock(&network.lock);
        network_put(pe, name, source, bytes);
        pthread_mutex_lock(&network.lock);
    }
    if (is_gathered && bytes > 0) {
        const struct record data = record_for(link, pe, name, bytes, RECORD_PUT);
        append_data(link, &data, source, bytes);
    }
    const struct record record = record_for(link, pe, signal, 8, adds ? SKERRY_FAR_ADD : SKERRY_FAR_STORE);
    const struct operands operands = {.value = value};
    append_operands(link, &record, &operands);
    send_batch(link);
    pthread_mutex_unlock(&network.lock);
}

// -- Completion --------------------------------------------------------------------------------------------------------

// Orders this PE's puts, except those that begin_put has begun. Messages to one node stay in order, except messages that UCX transfers by a rendezvous (the
// receiver reads the data later). So the fence waits for the puts that are possibly transferred by a rendezvous.
void network_fence(uint32_t context) {
    pthread_mutex_lock(&network.lock);
    fence_puts();
    wait_for_transfers(TRANSFER_PUT, context);
    pthread_mutex_unlock(&network.lock);
}

void request_acknowledgement(struct link *link, uint64_t operations) {
    if (link->requested >= operations) return;
    const struct record record = {.kind = RECORD_ACKNOWLEDGE};
    const struct operands operands = {.token = (uintptr_t)link | TOKEN_OF_LINK, .value = link->operations};
    link->requested = link->operations;
    append_operands(link, &record, &operands);
    send_batch(link);
}

// Lists the links with operations that are not acknowledged, and returns their number. During the quiet other threads
// can start operations, for which the quiet must not wait. So the list has the number of each link's operations at this
// time. If there are at most WANTED_USUAL links, stores them in `few`. If there are more, allocates a longer list.
// `*wanted` is the list.
static size_t list_wanted(struct wanted *few, struct wanted **wanted) {
    size_t count = 0, at = 0;
    for (const struct link *link = network.active; link; link = link->next_active) count++;
    *wanted = count <= WANTED_USUAL ? few : malloc(count * sizeof **wanted);
    if (!*wanted) network.host->fail("network (UCX): no memory for messages");
    for (struct link *link = network.active; link; link = link->next_active)
        (*wanted)[at++] = (struct wanted){link, link->operations};
    return count;
}

void network_quiet(uint32_t context) {
    struct wanted few[WANTED_USUAL], *wanted;
    pthread_mutex_lock(&network.lock);
    network.quiets++;
    begin_flushes();
    wait_for_transfers(TRANSFER_PUT, context);
    wait_for_transfers(TRANSFER_BEGUN_PUT, context);
    const size_t count = context == 0 ? list_wanted(few, &wanted) : list_unfinished(context, few, &wanted);
    for (size_t i = 0; i < count; i++) {
        note_quiet(wanted[i].link, wanted[i].operations);
        request_acknowledgement(wanted[i].link, wanted[i].operations);
    }
    for (size_t i = 0; i < count; i++)
        while (wanted[i].link->acknowledged < wanted[i].operations) step();
    wait_for_transfers(TRANSFER_GET, context);
    end_flushes();
    pthread_mutex_unlock(&network.lock);
    if (wanted != few) free(wanted);
}

bool network_progress(void) {
    if (pthread_mutex_trylock(&network.lock) != 0) return false;
    send_batches();
    network.moves++;
    const unsigned moved = progress_worker();
    pthread_mutex_unlock(&network.lock);
    return moved > 0;
}
