// SPDX-License-Identifier: BSD-3-Clause
// Implements the network for far PEs by UCX's active messages (UCP). This file is for transports without remote access
// in hardware, such as TCP: every operation is a record in a message, which a port of the target's node executes.
//
// Small operations are gathered in a batch for each node. A batch is sent when it is full, and when this PE waits,
// fetches or completes its operations. One endpoint delivers its messages in order. So operations on one PE take effect
// in the order of the calls, and a flag that is put after data arrives after the data. Large puts are messages of their
// own: their data is not copied here. If UCX transfers them by a rendezvous, the receiver pulls the data later; the put
// then returns only when the receiver has the data, and a put_nbi is waited for by the next fence.
//
// A quiet sends one request for an acknowledgement to each node that got operations, and waits for the answers. The
// port answers in the order of the messages, so the answer acknowledges all earlier operations.
//
// Threads. `lock` protects the worker and all state of this file. The handlers of messages run inside
// ucp_worker_progress, so their caller has the lock. A helper thread moves the worker while the PE computes: it sleeps
// until a message arrives.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucp/api/ucp.h>

#include "../linux/network.h"

#define BATCH_BYTES 8192
#define GATHERED_BYTES_MAX 2048 // a larger put is a message of its own
#define EAGER_BYTES_MAX 65536   // a larger put or get is left to UCX's own choice, which can be a rendezvous
#define COPIED_REPLY_MAX 4096   // a larger reply is sent from the object's own memory
#define SENDS_MOST 256          // batches that can be under way at a time
#define WIRE_UP_SECONDS 60
#define HELPER_NAP_NANOSECONDS 200000 // the helper stays away for this time if the PE moves the worker itself
#define HELPER_POLL_MILLISECONDS 10

enum message { MESSAGE_BATCH, MESSAGE_PUT, MESSAGE_REPLY };

// Kinds of records: those of enum skerry_far_operation, and these.
enum { RECORD_PUT = SKERRY_FAR_XOR + 1, RECORD_GET, RECORD_ACKNOWLEDGE, RECORD_LEAVE };

// A record in a batch, and the header of a large put. Behind it in a batch: the data of a put, filled up to a multiple of
// 8 bytes; for other kinds the words of `operands`.
struct record {
    uint64_t name;
    uint32_t bytes; // of the object
    uint16_t near;  // the PE's number among the PEs of its node
    uint16_t kind;
};

struct operands {
    uint64_t token; // of the reply; 0: no reply
    uint64_t value, expected;
};

// Header of a reply. The data follows.
struct reply {
    uint64_t token;
    uint64_t bytes;
};

// An operation that waits for a reply. Its address is the token.
struct pending {
    void *dest;
    volatile uint32_t done;
    bool is_counted;       // of a get_nbi: counted in gets_under_way, freed when done
    struct link *link;     // of a request for an acknowledgement: the link whose operations it covers; freed when done
    uint64_t acknowledges; // number of these operations
};

// A message that UCX has not sent yet.
struct send {
    struct send *next;
    struct reply reply;
    uint32_t used;
    char data[BATCH_BYTES];
};

struct link {
    ucp_ep_h endpoint;
    struct send *open;     // batch that is being filled
    uint64_t operations;   // number of operations that this PE has started and that need an acknowledgement
    uint64_t requested;    // so many of them are covered by a request for an acknowledgement
    uint64_t acknowledged; // so many of them are complete
};

static const struct skerry_network_host *host;
static ucp_context_h context;
static ucp_worker_h worker;
static struct link *links; // one for each node
static struct send *free_sends;
static unsigned sends_under_way; // batches only
static unsigned puts_under_way;  // large put_nbi
static unsigned gets_under_way;  // get_nbi
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t progressed;              // clock's reading when the PE moved the worker last
static volatile bool helper_ends = true; // true: the helper thread must end, or does not run
static pthread_t helper;
#define ROUNDS_MAX 32
static volatile uint32_t rounds_arrived[ROUNDS_MAX]; // messages of each round of the barrier of nodes
static uint32_t leaves;                              // number of times that this PE has left

static void fail(const char *what, ucs_status_t status) {
    char text[200];
    snprintf(text, sizeof text, "network (UCX): %s: %s", what, ucs_status_string(status));
    host->fail(text);
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int node_of(int pe) {
    struct skerry_wire_up *wire_up = host->wire_up;
    uint32_t low = 0, high = wire_up->node_count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (skerry_nodes(wire_up)[middle].first <= pe) low = middle;
        else high = middle;
    }
    return (int)low;
}

// -- Moving the worker -------------------------------------------------------------------------------------------------

// Lets other threads have the lock for a moment. The caller has the lock.
static void step(void) {
    unsigned moved = ucp_worker_progress(worker);
    pthread_mutex_unlock(&lock);
    if (!moved && host->oversubscribed) sched_yield();
    pthread_mutex_lock(&lock);
}

static struct send *new_send(void) {
    struct send *send = free_sends;
    if (send) free_sends = send->next;
    else send = malloc(sizeof *send);
    if (!send) host->fail("network (UCX): no memory for messages");
    send->used = 0;
    return send;
}

static void give_back(struct send *send) {
    send->next = free_sends;
    free_sends = send;
}

static void batch_is_sent(void *request, ucs_status_t status, void *given) {
    if (status != UCS_OK) fail("a message was not sent", status);
    give_back(given);
    sends_under_way--;
    ucp_request_free(request);
}

static void reply_is_sent(void *request, ucs_status_t status, void *given) {
    if (status != UCS_OK) fail("a reply was not sent", status);
    give_back(given);
    ucp_request_free(request);
}

static void put_is_sent(void *request, ucs_status_t status, void *given) {
    if (status != UCS_OK) fail("a put was not sent", status);
    free(given);
    puts_under_way--;
    ucp_request_free(request);
}

static ucp_request_param_t parameters(uint32_t flags, ucp_send_nbx_callback_t callback, void *given) {
    ucp_request_param_t options = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = flags};
    if (callback) {
        options.op_attr_mask |= UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
        options.cb.send = callback;
        options.user_data = given;
    }
    return options;
}

static void check_request(const char *what, ucs_status_ptr_t request) {
    if (UCS_PTR_IS_ERR(request)) fail(what, UCS_PTR_STATUS(request));
}

// -- Sending -----------------------------------------------------------------------------------------------------------

static struct link *link_to_node(int node) {
    struct link *link = &links[node];
    if (link->endpoint) return link;
    const struct skerry_node *there = &skerry_nodes(host->wire_up)[node];
    unsigned own = (unsigned)(host->my_pe - skerry_nodes(host->wire_up)[host->node].first);
    const ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                                    .address = (const ucp_address_t *)there->port[own % there->ports].address};
    ucs_status_t status = ucp_ep_create(worker, &params, &link->endpoint);
    if (status != UCS_OK) fail("no connection to a node", status);
    return link;
}

static struct link *link_to(int pe) {
    return link_to_node(node_of(pe));
}

static void send_batch(struct link *link) {
    struct send *send = link->open;
    if (!send) return;
    link->open = NULL;
    while (sends_under_way >= SENDS_MOST) step();
    const ucp_request_param_t options =
        parameters(UCP_AM_SEND_FLAG_EAGER | UCP_AM_SEND_FLAG_REPLY, batch_is_sent, send);
    sends_under_way++;
    ucs_status_ptr_t request =
        ucp_am_send_nbx(link->endpoint, MESSAGE_BATCH, NULL, 0, send->data, send->used, &options);
    check_request("a message was not sent", request);
    if (!request) {
        sends_under_way--;
        give_back(send);
    }
}

static void send_batches(void) {
    for (uint32_t node = 0; node < host->wire_up->node_count; node++) send_batch(&links[node]);
}

// Appends a record and `extra` bytes to the batch of a node.
static void append(struct link *link, const struct record *record, const void *extra, size_t extra_bytes) {
    size_t padded = (extra_bytes + 7) & ~(size_t)7;
    // Sending can wait without the lock. Then another thread possibly begins the next batch and fills it.
    while (link->open && link->open->used + sizeof *record + padded > BATCH_BYTES) send_batch(link);
    if (!link->open) link->open = new_send();
    struct send *send = link->open;
    memcpy(send->data + send->used, record, sizeof *record);
    memcpy(send->data + send->used + sizeof *record, extra, extra_bytes);
    send->used += (uint32_t)(sizeof *record + padded);
}

static struct record record_for(const struct link *link, int pe, uint64_t name, size_t bytes, unsigned kind) {
    const int first = skerry_nodes(host->wire_up)[link - links].first;
    return (struct record){name, (uint32_t)bytes, (uint16_t)(pe - first), (uint16_t)kind};
}

static void wait_for(struct pending *pending) {
    while (!pending->done) step();
}

// Messages to one node keep their order, except those that UCX transfers by a rendezvous.
static void wait_for_large_puts(void) {
    while (puts_under_way > 0) step();
}

// -- The operations ----------------------------------------------------------------------------------------------------

#define PIECE_BYTES ((size_t)1 << 30) // largest message; a longer put or get is made of several

static void send_large(struct link *link, int pe, uint64_t name, const void *source, size_t bytes, bool returns) {
    send_batch(link);
    link->operations++;
    struct record *header = malloc(sizeof *header); // UCX reads it until the message is sent
    if (!header) host->fail("network (UCX): no memory for messages");
    *header = record_for(link, pe, name, bytes, RECORD_PUT);
    uint32_t flags = UCP_AM_SEND_FLAG_REPLY | (bytes <= EAGER_BYTES_MAX ? (uint32_t)UCP_AM_SEND_FLAG_EAGER : 0);
    const ucp_request_param_t options = parameters(flags, put_is_sent, header);
    puts_under_way++;
    ucs_status_ptr_t request =
        ucp_am_send_nbx(link->endpoint, MESSAGE_PUT, header, sizeof *header, source, bytes, &options);
    check_request("a put was not sent", request);
    if (!request) {
        puts_under_way--;
        free(header);
    }
    // Waits for earlier put_nbi too: the count does not tell which of the puts have ended.
    if (!returns) wait_for_large_puts();
}

static void put_piecewise(int pe, uint64_t name, const void *source, size_t bytes, bool returns) {
    pthread_mutex_lock(&lock);
    struct link *link = link_to(pe);
    if (bytes <= GATHERED_BYTES_MAX) {
        const struct record record = record_for(link, pe, name, bytes, RECORD_PUT);
        append(link, &record, source, bytes);
        link->operations++;
    } else {
        for (size_t at = 0; at < bytes; at += PIECE_BYTES)
            send_large(link, pe, name + at, (const char *)source + at,
                       bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES, returns);
    }
    pthread_mutex_unlock(&lock);
}

static void put(int pe, uint64_t name, const void *source, size_t bytes) {
    put_piecewise(pe, name, source, bytes, false);
}

static void put_nbi(int pe, uint64_t name, const void *source, size_t bytes) {
    put_piecewise(pe, name, source, bytes, true);
}

static void request_get(struct pending *pending, int pe, uint64_t name, size_t bytes) {
    struct link *link = link_to(pe);
    const struct record record = record_for(link, pe, name, bytes, RECORD_GET);
    const struct operands operands = {.token = (uintptr_t)pending};
    append(link, &record, &operands, sizeof operands);
    send_batch(link);
}

static void get(void *dest, int pe, uint64_t name, size_t bytes) {
    pthread_mutex_lock(&lock);
    for (size_t at = 0; at < bytes; at += PIECE_BYTES) {
        struct pending pending = {.dest = (char *)dest + at};
        request_get(&pending, pe, name + at, bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
        wait_for(&pending);
    }
    pthread_mutex_unlock(&lock);
}

static void get_nbi(void *dest, int pe, uint64_t name, size_t bytes) {
    pthread_mutex_lock(&lock);
    for (size_t at = 0; at < bytes; at += PIECE_BYTES) {
        struct pending *pending = calloc(1, sizeof *pending);
        if (!pending) host->fail("network (UCX): no memory for messages");
        pending->dest = (char *)dest + at;
        pending->is_counted = true;
        gets_under_way++;
        request_get(pending, pe, name + at, bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
    }
    pthread_mutex_unlock(&lock);
}

static uint64_t atomic(enum skerry_far_operation operation, unsigned bytes, int pe, uint64_t name, uint64_t value,
                       uint64_t expected) {
    uint64_t old = 0;
    struct pending pending = {.dest = &old};
    const bool fetches = operation <= SKERRY_FAR_FETCH_XOR;
    pthread_mutex_lock(&lock);
    struct link *link = link_to(pe);
    const struct record record = record_for(link, pe, name, bytes, operation);
    const struct operands operands = {fetches ? (uintptr_t)&pending : 0, value, expected};
    append(link, &record, &operands, sizeof operands);
    if (fetches) {
        send_batch(link);
        wait_for(&pending);
    } else {
        link->operations++;
    }
    pthread_mutex_unlock(&lock);
    return old;
}

static void fence(void) {
    pthread_mutex_lock(&lock);
    wait_for_large_puts();
    pthread_mutex_unlock(&lock);
}

// Asks a node to acknowledge all operations that this PE has started there, unless another thread has asked already.
static void request_acknowledgement(struct link *link) {
    if (link->requested == link->operations) return;
    struct pending *pending = calloc(1, sizeof *pending);
    if (!pending) host->fail("network (UCX): no memory for messages");
    const struct record record = {.kind = RECORD_ACKNOWLEDGE};
    const struct operands operands = {.token = (uintptr_t)pending};
    append(link, &record, &operands, sizeof operands);
    link->requested = link->operations;
    pending->link = link;
    pending->acknowledges = link->operations;
    send_batch(link);
}

static void quiet(void) {
    pthread_mutex_lock(&lock);
    wait_for_large_puts();
    const uint32_t nodes = host->wire_up->node_count;
    for (uint32_t node = 0; node < nodes; node++) request_acknowledgement(&links[node]);
    for (uint32_t node = 0; node < nodes; node++) {
        const uint64_t wanted = links[node].requested;
        while (links[node].acknowledged < wanted) step();
    }
    while (gets_under_way > 0) step();
    pthread_mutex_unlock(&lock);
}

static void progress(void) {
    if (pthread_mutex_trylock(&lock) != 0) return;
    send_batches();
    ucp_worker_progress(worker);
    progressed = nanoseconds();
    pthread_mutex_unlock(&lock);
}

// -- Landing -----------------------------------------------------------------------------------------------------------

// Sends a reply. Called by handlers of messages, which must not wait.
static void reply_to(ucp_ep_h endpoint, uint64_t token, const void *data, size_t bytes) {
    struct send *send = new_send();
    send->reply = (struct reply){token, bytes};
    uint32_t flags = bytes <= EAGER_BYTES_MAX ? (uint32_t)UCP_AM_SEND_FLAG_EAGER : 0;
    if (bytes <= COPIED_REPLY_MAX && bytes > 0) data = memcpy(send->data, data, bytes);
    const ucp_request_param_t options = parameters(flags, reply_is_sent, send);
    ucs_status_ptr_t request =
        ucp_am_send_nbx(endpoint, MESSAGE_REPLY, &send->reply, sizeof send->reply, data, bytes, &options);
    check_request("a reply was not sent", request);
    if (!request) give_back(send);
}

// Stores the data of a put. A word is stored whole, and with release: it can be a flag for earlier data.
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
    return skerry_nodes(host->wire_up)[host->node].first + record->near;
}

static void execute(const struct record *record, const char *extra, ucp_ep_h reply_endpoint) {
    const int pe = near_pe(record);
    void *place = record->kind >= RECORD_ACKNOWLEDGE ? NULL : host->place(pe, record->name);
    if (record->kind == RECORD_PUT) {
        land(place, extra, record->bytes);
        host->wake(pe);
        return;
    }
    if (record->kind == RECORD_LEAVE) {
        rounds_arrived[record->name % ROUNDS_MAX] = rounds_arrived[record->name % ROUNDS_MAX] + 1;
        return;
    }
    struct operands operands;
    memcpy(&operands, extra, sizeof operands);
    if (record->kind == RECORD_ACKNOWLEDGE) {
        reply_to(reply_endpoint, operands.token, NULL, 0);
    } else if (record->kind == RECORD_GET) {
        reply_to(reply_endpoint, operands.token, place, record->bytes);
    } else {
        uint64_t old = record->bytes == 8
                           ? execute_64(record->kind, place, operands.value, operands.expected)
                           : execute_32(record->kind, place, (uint32_t)operands.value, (uint32_t)operands.expected);
        if (record->kind != SKERRY_FAR_LOAD) host->wake(pe);
        if (operands.token) reply_to(reply_endpoint, operands.token, &old, sizeof old);
    }
}

static ucs_status_t on_batch(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                             const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes;
    const char *at = data, *end = at + bytes;
    while (at < end) {
        struct record record;
        memcpy(&record, at, sizeof record);
        size_t extra = record.kind == RECORD_PUT ? ((size_t)record.bytes + 7) & ~(size_t)7 : sizeof(struct operands);
        execute(&record, at + sizeof record, options->reply_ep);
        at += sizeof record + extra;
    }
    return UCS_OK;
}

// Called when the data of a rendezvous is in place.
static void put_has_arrived(void *request, ucs_status_t status, size_t bytes, void *given) {
    (void)bytes;
    if (status != UCS_OK) fail("a put did not arrive", status);
    host->wake((int)(intptr_t)given);
    ucp_request_free(request);
}

static void reply_is_complete(struct pending *pending) {
    if (pending->is_counted) {
        gets_under_way--;
        free(pending);
    } else if (pending->link) {
        if (pending->link->acknowledged < pending->acknowledges) pending->link->acknowledged = pending->acknowledges;
        free(pending);
    } else {
        __atomic_store_n(&pending->done, 1, __ATOMIC_RELEASE);
    }
}

static void reply_has_arrived(void *request, ucs_status_t status, size_t bytes, void *given) {
    (void)bytes;
    if (status != UCS_OK) fail("a get did not arrive", status);
    reply_is_complete(given);
    ucp_request_free(request);
}

// Begins to receive the data of a rendezvous. Returns true if the data is already in place.
static bool receive_data(void *descriptor, void *dest, size_t bytes, ucp_am_recv_data_nbx_callback_t callback,
                         void *given) {
    const ucp_request_param_t options = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                                         .cb.recv_am = callback,
                                         .user_data = given};
    ucs_status_ptr_t request = ucp_am_recv_data_nbx(worker, descriptor, dest, bytes, &options);
    check_request("data did not arrive", request);
    return !request;
}

static ucs_status_t on_put(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                           const ucp_am_recv_param_t *options) {
    (void)unused, (void)header_bytes;
    struct record record;
    memcpy(&record, header, sizeof record);
    const int pe = near_pe(&record);
    void *dest = host->place(pe, record.name);
    if (options->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) {
        if (receive_data(data, dest, bytes, put_has_arrived, (void *)(intptr_t)pe)) host->wake(pe);
        return UCS_INPROGRESS;
    }
    memcpy(dest, data, bytes);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    host->wake(pe);
    return UCS_OK;
}

static ucs_status_t on_reply(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                             const ucp_am_recv_param_t *options) {
    (void)unused, (void)header_bytes;
    struct reply reply;
    memcpy(&reply, header, sizeof reply);
    struct pending *pending = (struct pending *)(uintptr_t)reply.token;
    if (options->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) {
        if (receive_data(data, pending->dest, bytes, reply_has_arrived, pending)) reply_is_complete(pending);
        return UCS_INPROGRESS;
    }
    if (bytes > 0) land(pending->dest, data, bytes);
    reply_is_complete(pending);
    return UCS_OK;
}

// -- The helper thread -------------------------------------------------------------------------------------------------

// Moves the worker while the PE computes or sleeps, so that messages for all PEs of this node land.
static void *help(void *unused) {
    (void)unused;
    int descriptor = -1;
    ucp_worker_get_efd(worker, &descriptor);
    while (!helper_ends) {
        pthread_mutex_lock(&lock);
        const bool stays_away = nanoseconds() - progressed < HELPER_NAP_NANOSECONDS;
        ucs_status_t status = UCS_ERR_BUSY;
        if (!stays_away) {
            send_batches();
            while (ucp_worker_progress(worker)) {
            }
            status = ucp_worker_arm(worker);
        }
        pthread_mutex_unlock(&lock);
        if (stays_away) nanosleep(&(struct timespec){.tv_nsec = HELPER_NAP_NANOSECONDS}, NULL);
        else if (status == UCS_OK)
            poll(&(struct pollfd){.fd = descriptor, .events = POLLIN}, 1, HELPER_POLL_MILLISECONDS);
        else if (status != UCS_ERR_BUSY) fail("ucp_worker_arm", status);
    }
    return NULL;
}

static void enter(void) {
    if (!helper_ends) return;
    helper_ends = false;
    sigset_t all, before;
    sigfillset(&all); // signals are for the program's threads
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&helper, NULL, help, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) host->fail("network (UCX): no thread for messages");
}

// Ends the helper thread. It must not use UCX when UCX's destructors run, at the end of the process.
static void stop(void) {
    if (helper_ends || pthread_equal(pthread_self(), helper)) return;
    helper_ends = true;
    ucp_worker_signal(worker); // ends the helper's sleep
    pthread_join(helper, NULL);
}

// -- The end -----------------------------------------------------------------------------------------------------------

// Executes a dissemination barrier of the first ports of all nodes. When it ends, every PE of the job has had all its
// operations acknowledged, so no port gets a message any more.
static void barrier_of_nodes(void) {
    const int nodes = (int)host->wire_up->node_count;
    pthread_mutex_lock(&lock);
    for (int distance = 1, round = 0; distance < nodes; distance *= 2, round++) {
        struct link *link = link_to_node((host->node + distance) % nodes);
        const struct record record = {.kind = RECORD_LEAVE, .name = (uint64_t)round};
        const struct operands operands = {0};
        append(link, &record, &operands, sizeof operands);
        send_batch(link);
        while (rounds_arrived[round] < leaves) step();
    }
    const ucp_request_param_t no_options = {0};
    ucs_status_ptr_t request = ucp_worker_flush_nbx(worker, &no_options);
    check_request("the last messages were not sent", request);
    while (request && ucp_request_check_status(request) == UCS_INPROGRESS) step();
    if (request) ucp_request_free(request);
    pthread_mutex_unlock(&lock);
}

static void await_left(const uint32_t *left, uint32_t wanted) {
    while (__atomic_load_n(left, __ATOMIC_ACQUIRE) < wanted)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); // the helper thread lands messages meanwhile
}

// Returns when no other PE needs this PE as a port. The ports of a node stay until the operations of all PEs of the job
// are acknowledged.
static void stay(void) {
    struct skerry_node *here = &skerry_nodes(host->wire_up)[host->node];
    const int own = host->my_pe - here->first;
    const uint32_t of_one_leave = (uint32_t)here->count + 1, all = ++leaves * of_one_leave;
    __atomic_fetch_add(&here->left, 1, __ATOMIC_ACQ_REL);
    if (own >= (int)here->ports) return;
    if (own == 0) {
        await_left(&here->left, all - 1);
        barrier_of_nodes();
        __atomic_fetch_add(&here->left, 1, __ATOMIC_ACQ_REL);
    }
    await_left(&here->left, all);
}

static void leave(void) {
    quiet();
    stay();
    stop();
}

// -- Set-up ------------------------------------------------------------------------------------------------------------

static void check(const char *what, ucs_status_t status) {
    if (status != UCS_OK) fail(what, status);
}

static void handle(unsigned message, ucp_am_recv_callback_t function) {
    const ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB, .id = message, .cb = function};
    check("ucp_worker_set_am_recv_handler", ucp_worker_set_am_recv_handler(worker, &handler));
}

static void publish(unsigned port) {
    ucp_address_t *address;
    size_t bytes;
    check("ucp_worker_get_address", ucp_worker_get_address(worker, &address, &bytes));
    if (bytes > SKERRY_NETWORK_ADDRESS_MAX) host->fail("network (UCX): the address of this PE is too long");
    struct skerry_port *own = &skerry_nodes(host->wire_up)[host->node].port[port];
    own->bytes = (uint32_t)bytes;
    memcpy(own->address, address, bytes);
    ucp_worker_release_address(worker, address);
    __atomic_fetch_add(&host->wire_up->published, 1, __ATOMIC_ACQ_REL);
}

static void await_addresses(void) {
    uint32_t ports = 0;
    for (uint32_t node = 0; node < host->wire_up->node_count; node++) ports += skerry_nodes(host->wire_up)[node].ports;
    uint64_t limit = nanoseconds() + WIRE_UP_SECONDS * UINT64_C(1000000000);
    while (__atomic_load_n(&host->wire_up->published, __ATOMIC_ACQUIRE) < ports) {
        if (nanoseconds() > limit) host->fail("network (UCX): not all nodes have started within 60 seconds");
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

static const struct skerry_network operations = {put,   put_nbi,  get,   get_nbi, atomic, fence,
                                                 quiet, progress, enter, leave,   stop};

__attribute__((visibility("default"))) const struct skerry_network *
skerry_network_open(const struct skerry_network_host *given) {
    host = given;
    links = calloc(host->wire_up->node_count, sizeof *links);
    if (!links) host->fail("network (UCX): no memory");
    ucp_config_t *config;
    check("ucp_config_read", ucp_config_read(NULL, NULL, &config));
    const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
                                 .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
                                 .estimated_num_eps = host->wire_up->node_count};
    check("ucp_init", ucp_init(&params, config, &context));
    ucp_config_release(config);
    const ucp_worker_params_t worker_params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                               .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    check("ucp_worker_create", ucp_worker_create(context, &worker_params, &worker));
    handle(MESSAGE_BATCH, on_batch);
    handle(MESSAGE_PUT, on_put);
    handle(MESSAGE_REPLY, on_reply);
    const struct skerry_node *here = &skerry_nodes(host->wire_up)[host->node];
    const unsigned own = (unsigned)(host->my_pe - here->first);
    if (own < here->ports) publish(own);
    await_addresses();
    return &operations;
}
