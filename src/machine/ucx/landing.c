// SPDX-License-Identifier: BSD-3-Clause
// Executes the messages that arrive for the PEs of this node, and handles the replies to this PE's own operations.
#include <string.h>
#include <stdlib.h>

#include "internal.h"

#define COPIED_REPLY_MAX 4096 // a larger reply is sent from the object's own memory

static void reply_is_sent(void *request, ucs_status_t status, void *given) {
    if (status != UCS_OK) fail("a reply was not sent", status);
    give_back(given);
    ucp_request_free(request);
}

static void send_reply(ucp_ep_h endpoint, struct send *send, unsigned message, const void *header, size_t header_bytes,
                       const void *data, size_t bytes) {
    uint32_t flags = bytes <= EAGER_BYTES_MAX ? (uint32_t)UCP_AM_SEND_FLAG_EAGER : 0;
    const ucp_request_param_t options = parameters(flags, reply_is_sent, send);
    ucs_status_ptr_t request = ucp_am_send_nbx(endpoint, message, header, header_bytes, data, bytes, &options);
    check_request("a reply was not sent", request);
    if (!request) give_back(send);
}

void reply_to(ucp_ep_h endpoint, uint64_t token, const void *data, size_t bytes) {
    struct send *send = new_send();
    send->reply = (struct reply){token, bytes};
    if (bytes <= COPIED_REPLY_MAX) {
        memcpy(send->data, &send->reply, sizeof send->reply);
        if (bytes > 0) memcpy(send->data + sizeof send->reply, data, bytes);
        send->used = (uint32_t)(sizeof send->reply + bytes);
        ucs_status_ptr_t request = send_short(endpoint, MESSAGE_SMALL_REPLY, send, reply_is_sent);
        check_request("a reply was not sent", request);
        if (!request) give_back(send);
    } else {
        send_reply(endpoint, send, MESSAGE_REPLY, &send->reply, sizeof send->reply, data, bytes);
    }
}

// Stores the data of a put. The data can be a flag that announces earlier data. So a word is stored as a whole and with
// release order.
static void land(void *dest, const void *data, size_t bytes) {
    const bool is_aligned = ((uintptr_t)dest & (bytes - 1)) == 0;
#define LAND(TYPE)                                                                                                     \
    if (is_aligned && bytes == sizeof(TYPE)) {                                                                         \
        TYPE value;                                                                                                    \
        memcpy(&value, data, sizeof value);                                                                            \
        __atomic_store_n((TYPE *)dest, value, __ATOMIC_RELEASE);                                                       \
        return;                                                                                                        \
    }
    LAND(uint64_t)
    LAND(uint32_t)
    LAND(uint16_t)
    LAND(uint8_t)
#undef LAND
    memcpy(dest, data, bytes);
}

#define EXECUTE(BITS)                                                                                                  \
    static uint64_t execute_##BITS(unsigned operation, uint##BITS##_t *word, uint##BITS##_t value,                     \
                                   uint##BITS##_t expected) {                                                          \
        switch (operation) {                                                                                           \
        case SKERRY_FAR_LOAD: return __atomic_load_n(word, __ATOMIC_ACQUIRE);                                          \
        case SKERRY_FAR_SWAP: return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);                               \
        case SKERRY_FAR_COMPARE_SWAP:                                                                                  \
            __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);            \
            return expected;                                                                                           \
        case SKERRY_FAR_STORE: __atomic_store_n(word, value, __ATOMIC_RELEASE); return 0;                              \
        case SKERRY_FAR_ADD:                                                                                           \
        case SKERRY_FAR_FETCH_ADD: return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);                           \
        case SKERRY_FAR_AND:                                                                                           \
        case SKERRY_FAR_FETCH_AND: return __atomic_fetch_and(word, value, __ATOMIC_ACQ_REL);                           \
        case SKERRY_FAR_OR:                                                                                            \
        case SKERRY_FAR_FETCH_OR: return __atomic_fetch_or(word, value, __ATOMIC_ACQ_REL);                             \
        default: return __atomic_fetch_xor(word, value, __ATOMIC_ACQ_REL);                                             \
        }                                                                                                              \
    }
EXECUTE(32)
EXECUTE(64)

static int near_pe(const struct record *record) {
    return skerry_nodes(network.host->wire_up)[network.host->node].first + record->near;
}

static _Thread_local bool handles; // true while this thread runs a handler of a message

bool is_handling(void) {
    return handles;
}

static void run_handler(const struct record *record, const struct operands *operands, const char *message,
                        ucp_ep_h reply_endpoint) {
    static uint64_t aligned[BATCH_BYTES / 8]; // protected by the lock
    uint64_t answer[SKERRY_NETWORK_ANSWER_MAX / 8];
    if ((uintptr_t)message & 7) message = memcpy(aligned, message, record->bytes);
    handles = true;
    size_t bytes =
        network.host->handle(near_pe(record), (int)operands->value, (int)record->name, message, record->bytes, answer);
    handles = false;
    if (operands->token) reply_to(reply_endpoint, operands->token, answer, bytes);
    else if (operands->expected && bytes > 0)
        put_back(reply_endpoint, (int)operands->value, operands->expected, answer, bytes);
}

// `ended` is a handler like those of messages: it possibly sends messages, which must be kept.
void end_part(struct begun *begun) {
    if (!begun || --begun->parts > 0) return;
    handles = true;
    network.host->end(begun->ended, begun->given);
    handles = false;
    count_landed();
    free(begun);
}

static void execute(const struct record *record, const char *extra, ucp_ep_h reply_endpoint) {
    const int pe = near_pe(record);
    void *place = record->kind >= RECORD_MESSAGE ? NULL : network.host->place(pe, record->name);
    if (record->kind == RECORD_PUT) {
        land(place, extra, record->bytes);
        network.host->wake(pe);
        return;
    }
    if (record->kind == RECORD_LEAVE) {
        count_leave_message((unsigned)record->name);
        return;
    }
    struct operands operands;
    memcpy(&operands, extra, sizeof operands);
    if (record->kind == RECORD_KEY) {
        answer_key(reply_endpoint, pe, record->name, operands.token);
    } else if (record->kind == RECORD_ACKNOWLEDGE) {
        reply_to(reply_endpoint, operands.token, &operands.value, sizeof operands.value);
    } else if (record->kind == RECORD_MESSAGE) {
        run_handler(record, &operands, extra + sizeof operands, reply_endpoint);
    } else if (record->kind == RECORD_GET) {
        reply_to(reply_endpoint, operands.token, place, record->bytes);
    } else {
        uint64_t old = record->bytes == 8
                           ? execute_64(record->kind, place, operands.value, operands.expected)
                           : execute_32(record->kind, place, (uint32_t)operands.value, (uint32_t)operands.expected);
        if (record->kind != SKERRY_FAR_LOAD) network.host->wake(pe);
        if (operands.token) reply_to(reply_endpoint, operands.token, &old, sizeof old);
    }
}

static ucp_ep_h *origins; // endpoints for replies to other PEs; the index is the PE's rank

static ucs_status_t on_batch(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                             const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes;
    struct batch_head head;
    memcpy(&head, data, sizeof head);
    if (options->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP) origins[head.from] = options->reply_ep;
    const ucp_ep_h reply_endpoint = origins[head.from];
    const char *at = (const char *)data + sizeof head, *end = (const char *)data + bytes;
    while (at < end) {
        struct record record;
        memcpy(&record, at, sizeof record);
        size_t extra = record.kind == RECORD_PUT ? 0 : sizeof(struct operands);
        if (record.kind == RECORD_PUT || record.kind == RECORD_MESSAGE)
            extra += ((size_t)record.bytes + 7) & ~(size_t)7;
        execute(&record, at + sizeof record, reply_endpoint);
        count_landed();
        at += sizeof record + extra;
    }
    return UCS_OK;
}

// UCX calls this function when all data of a rendezvous has arrived. (Rendezvous: the receiver reads the data of a
// large put from the sender's memory.)
static void put_has_arrived(void *request, ucs_status_t status, size_t bytes, void *given) {
    (void)bytes;
    if (status != UCS_OK) fail("a put did not arrive", status);
    network.host->wake((int)(intptr_t)given);
    count_landed();
    ucp_request_free(request);
}

static void reply_is_complete(struct pending *pending, size_t bytes) {
    note_reply(pending->link);
    pending->bytes = bytes;
    if (pending->is_counted) {
        end_transfer(TRANSFER_GET, pending->context);
        end_part(pending->begun);
        free(pending);
    } else {
        __atomic_store_n(&pending->done, 1, __ATOMIC_RELEASE);
    }
}

static void reply_has_arrived(void *request, ucs_status_t status, size_t bytes, void *given) {
    if (status != UCS_OK) fail("a get did not arrive", status);
    reply_is_complete(given, bytes);
    ucp_request_free(request);
}

// Begins to receive the data of a rendezvous, in which this process reads the data from the sender's memory. Returns
// true if all data has already arrived.
static bool receive_data(void *descriptor, void *dest, size_t bytes, ucp_am_recv_data_nbx_callback_t callback,
                         void *given) {
    const ucp_request_param_t options = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                                         .cb.recv_am = callback,
                                         .user_data = given};
    ucs_status_ptr_t request = ucp_am_recv_data_nbx(network.worker, descriptor, dest, bytes, &options);
    check_request("data did not arrive", request);
    return !request;
}

static ucs_status_t on_put(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                           const ucp_am_recv_param_t *options) {
    (void)unused, (void)header_bytes;
    struct record record;
    memcpy(&record, header, sizeof record);
    const int pe = near_pe(&record);
    void *dest = network.host->place(pe, record.name);
    if (options->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) {
        if (receive_data(data, dest, bytes, put_has_arrived, (void *)(intptr_t)pe)) {
            network.host->wake(pe);
            count_landed();
        }
        return UCS_INPROGRESS;
    }
    memcpy(dest, data, bytes);
#ifndef __SANITIZE_THREAD__ // the sanitizer does not understand fences; publish_landed stores with release order too
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
    network.host->wake(pe);
    count_landed();
    return UCS_OK;
}

static ucs_status_t on_small_reply(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                                   const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)bytes, (void)options;
    struct reply reply;
    memcpy(&reply, data, sizeof reply);
    const char *content = (const char *)data + sizeof reply;
    if (reply.token & TOKEN_OF_LINK) {
        uint64_t operations;
        memcpy(&operations, content, sizeof operations);
        struct link *link = (struct link *)(uintptr_t)(reply.token - TOKEN_OF_LINK);
        note_reply(link);
        acknowledge(link, operations);
        return UCS_OK;
    }
    struct pending *pending = (struct pending *)(uintptr_t)reply.token;
    if (reply.bytes > 0) land(pending->dest, content, reply.bytes);
    reply_is_complete(pending, reply.bytes);
    return UCS_OK;
}

static ucs_status_t on_reply(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                             const ucp_am_recv_param_t *options) {
    (void)unused, (void)header_bytes;
    struct reply reply;
    memcpy(&reply, header, sizeof reply);
    struct pending *pending = (struct pending *)(uintptr_t)reply.token;
    if (options->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) {
        if (receive_data(data, pending->dest, bytes, reply_has_arrived, pending)) reply_is_complete(pending, bytes);
        return UCS_INPROGRESS;
    }
    if (bytes > 0) land(pending->dest, data, bytes);
    reply_is_complete(pending, bytes);
    return UCS_OK;
}

static void handle(unsigned message, ucp_am_recv_callback_t function) {
    const ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB, .id = message, .cb = function};
    check_status("ucp_worker_set_am_recv_handler", ucp_worker_set_am_recv_handler(network.worker, &handler));
}

void handle_messages(void) {
    handle(MESSAGE_BATCH, on_batch);
    handle(MESSAGE_PUT, on_put);
    handle(MESSAGE_REPLY, on_reply);
    handle(MESSAGE_SMALL_REPLY, on_small_reply);
    origins = calloc((size_t)network.host->pe_count, sizeof *origins);
    if (!origins) network.host->fail("network (UCX): no memory");
}
