// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of the network module share. The module implements the network for far PEs by UCX's active
// messages (UCP): every operation is a record in a message, which a port of the target's node executes. If the transport
// has remote access in hardware, large puts and gets use that instead (remote.h).
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
// Threads. `lock` protects the worker and all state of the module, except words of which helper.c says otherwise. The
// handlers of messages run inside ucp_worker_progress, so their caller has the lock. A helper thread moves the worker
// while the PE computes or sleeps.
#ifndef SKERRY_MACHINE_UCX_INTERNAL_H
#define SKERRY_MACHINE_UCX_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucp/api/ucp.h>

#include "../linux/network.h"
#include "remote.h"

// Room of a batch. The largest message (contract/far.h) must fit, with its record and its operands.
#define BATCH_BYTES (8192 + sizeof(struct batch_head) + sizeof(struct record) + sizeof(struct operands))
#define EAGER_BYTES_MAX 65536 // a larger put or get is left to UCX's own choice, which can be a rendezvous

// A message that is one contiguous block and needs no endpoint for a reply leaves UCX by its shortest path: one system
// call without copies. So small replies and all batches but a PE's first one to a node have this form.
enum message { MESSAGE_BATCH, MESSAGE_PUT, MESSAGE_REPLY, MESSAGE_SMALL_REPLY };

// A batch begins with the rank of the PE that sends it. Its first batch to a port carries an endpoint for replies, which
// the port keeps.
struct batch_head {
    uint32_t from;
    uint32_t reserved;
};

// Kinds of records: those of enum skerry_far_operation, and these.
enum { RECORD_PUT = SKERRY_FAR_XOR + 1, RECORD_GET, RECORD_MESSAGE, RECORD_ACKNOWLEDGE, RECORD_LEAVE, RECORD_KEY };

// A record in a batch, and the header of a large put. Behind it in a batch: the data of a put, filled up to a multiple of
// 8 bytes; for other kinds the words of `operands`, and then the data of a message, filled up in the same way. A
// message's handler is in `name`, its sender in `value`. The name of the place to which its answer is put is in
// `expected`; 0: there is no such place.
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

// Header of a reply, and the beginning of a small reply. The data follows.
struct reply {
    uint64_t token;
    uint64_t bytes;
};

// An operation that waits for a reply. Its address is the token. The token of a request for an acknowledgement is the
// address of the link plus 1, and the reply's data is the number of operations that are complete.
struct pending {
    void *dest;
    size_t bytes; // of the reply
    volatile uint32_t done;
    bool is_counted;  // of a get_nbi: counted in transfers, freed when done
    uint32_t context; // of a get_nbi
};
#define TOKEN_OF_LINK 1u

// A message that UCX has not sent yet.
struct send {
    struct send *next;
    struct reply reply;
    uint32_t used;
    char data[BATCH_BYTES];
};

// The connection to a node. It is in the list network.open if it possibly has an open batch, and in the list
// network.active if it has operations that are not acknowledged. So no operation looks at the links to all nodes.
struct link {
    ucp_ep_h endpoint;
    struct send *open;     // batch that is being filled
    uint64_t operations;   // number of operations that this PE has started and that need an acknowledgement
    uint64_t requested;    // so many of them are covered by a request for an acknowledgement
    uint64_t acknowledged; // so many of them are complete
    struct remote *remote; // NULL before the first large put or get
    struct link *next_open;
    struct link *next_active, **to_active; // to_active: the pointer in the list that points to this link
    bool is_in_open;
    bool is_known; // the port has the endpoint for replies to this PE
};

// Transfers that are counted until they have ended: large puts, and get_nbi.
enum transfer { TRANSFER_PUT, TRANSFER_GET };

// The header of a large put, and the context of the put.
struct large_put {
    struct record record;
    uint32_t context;
};

// A link with operations that a quiet waits for.
struct wanted {
    struct link *link;
    uint64_t operations;
};
#define WANTED_USUAL 64

// A message that a handler has sent, while it must not use UCX. It is sent when the handlers have returned.
struct kept {
    struct kept *next;
    int pe, number;
    size_t bytes;
    char message[];
};

// State of the module. `lock` protects it, except the words that say otherwise.
extern struct network_state {
    const struct skerry_network_host *host; // constant
    ucp_context_h context;
    ucp_worker_h worker; // NULL: this PE is no port, and has executed no far operation
    int descriptor;      // of the worker's events; constant
    pthread_mutex_t lock;
    struct link *links;         // one for each node
    struct link *open, *active; // lists
    unsigned sends_under_way;   // batches only
    unsigned transfers[2];      // number of transfers under way (enum transfer)
    uint64_t moves;             // number of times that the PE, and not the helper thread, has moved the worker
    bool is_waiting;            // a thread of the PE sleeps until a message arrives, and then moves the worker
    struct kept *kept;          // messages of handlers that have not been sent, oldest first
    struct kept *last_kept;
    uint64_t landed_now; // records that were executed since the worker began to move
} network;

// Returns true if this PE receives messages for the PEs of its node.
static inline bool is_port(void) {
    const struct skerry_node *here = &skerry_nodes(network.host->wire_up)[network.host->node];
    return network.host->my_pe - here->first < (int)here->ports;
}

// -- wire_up.c ---------------------------------------------------------------------------------------------------------

// Makes the worker. The caller has the lock, or no other thread uses the module yet.
void open_worker(void);
// Waits until the addresses of all nodes have arrived.
void await_addresses(void);

// -- worker.c ----------------------------------------------------------------------------------------------------------

// Ends the job with a message that contains UCX's text for `status`.
void fail(const char *what, ucs_status_t status);
// End the job as `fail` does if the status or the request is an error.
void check_status(const char *what, ucs_status_t status);
void check_request(const char *what, ucs_status_ptr_t request);
// Returns the reading of the monotonic clock.
uint64_t nanoseconds(void);
// Moves the worker, and sends what handlers have sent meanwhile. Returns 0 if nothing moved. The caller has the lock.
unsigned move_worker(void);
// Return a message from a pool, and give it back.
struct send *new_send(void);
void give_back(struct send *send);
// Returns the options of a UCX operation. UCX calls `callback` with `given` if the operation does not complete at once.
ucp_request_param_t parameters(uint32_t flags, ucp_send_nbx_callback_t callback, void *given);

// -- wait.c ------------------------------------------------------------------------------------------------------------

// Moves the worker, and lets other threads have the lock for a moment. If no message has come in the last steps, sleeps
// until one comes. Called by a thread of the PE that waits and has the lock, and not by the helper thread.
void step(void);
// Wakes the thread that sleeps in `step`. Called by another thread that has moved the worker, and has the lock.
void wake_other_waiter(void);
// Makes network.descriptor readable with the next message. Returns false if messages are left. The caller has the lock.
bool arm_worker(void);

// -- count.c -----------------------------------------------------------------------------------------------------------

// Count a record that this process sends, and one that it has executed. The caller has the lock.
void count_sent(void);
void count_landed(void);
// Publishes the records counted by count_landed. The caller has the lock.
void publish_landed(void);

// -- batch.c -----------------------------------------------------------------------------------------------------------

// Returns the entry of the node that a link leads to, in the table that the PEs of this node share.
static inline struct skerry_node *node_of_link(const struct link *link) {
    return &skerry_nodes(network.host->wire_up)[link - network.links];
}

// Counts a message for `oshrun --stats`.
static inline void count_message(const struct link *link, size_t bytes) {
    __atomic_fetch_add(&node_of_link(link)->sent_messages, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&node_of_link(link)->sent_bytes, bytes, __ATOMIC_RELAXED);
}

// Return the link to a node, or to the node of a PE. Connect at first use.
struct link *link_to_node(int node);
struct link *link_to(int pe);
// Send what is gathered for one node, or for all nodes. The caller has the lock.
void send_batch(struct link *link);
void send_batches(void);
// Keeps a message that a handler of a message sends. Sends the messages that are kept. The caller has the lock.
void keep_message(int pe, int number, const void *message, size_t bytes);
void send_kept_messages(void);
// Counts an operation that needs an acknowledgement. The caller has the lock.
void count_operation(struct link *link);
// Notes that so many operations are complete. The caller has the lock.
void acknowledge(struct link *link, uint64_t operations);
// Append a record to the batch of a node: with `bytes` bytes of data, with operands, or with both. The caller has the
// lock.
void append_data(struct link *link, const struct record *record, const void *data, size_t bytes);
void append_operands(struct link *link, const struct record *record, const struct operands *operands);
void append_message(struct link *link, const struct record *record, const struct operands *operands, const void *data);
struct record record_for(const struct link *link, int pe, uint64_t name, size_t bytes, unsigned kind);
// Puts up to SKERRY_NETWORK_ANSWER_MAX bytes to PE `pe`, by the endpoint of a message that this PE has sent. Called by
// handlers of messages: it does not wait.
void put_back(ucp_ep_h endpoint, int pe, uint64_t name, const void *data, size_t bytes);

// -- account.c ---------------------------------------------------------------------------------------------------------

// Notes that the link's last operation belongs to the context of this thread. The caller has the lock, as for the next four
// functions.
void account_for_operation(const struct link *link);
// Count a transfer from its start to its end. begin_transfer returns the context of this thread, for end_transfer.
uint32_t begin_transfer(enum transfer kind);
void end_transfer(enum transfer kind, uint32_t context);
// Returns when no transfer of a context, or of all contexts (0), is under way.
void wait_for_transfers(enum transfer kind, uint32_t context);
// Stores the links with unacknowledged operations of a context other than 0, and returns their number. `few` has room for
// WANTED_USUAL links.
size_t list_unfinished(uint32_t context, struct wanted *few, struct wanted **wanted);

// -- operations.c: the functions of struct skerry_network --------------------------------------------------------------

// Starts a large put by a message. `returns`: the operation is a put_nbi.
void send_put(struct link *link, int pe, uint64_t name, const void *source, size_t bytes, bool returns);
// Get by messages.
void send_get(struct link *link, void *dest, int pe, uint64_t name, size_t bytes);
void send_get_nbi(struct link *link, void *dest, int pe, uint64_t name, size_t bytes);
// Asks a node to acknowledge all operations that this PE has started there, unless another thread has asked for those that
// are wanted.
void request_acknowledgement(struct link *link, uint64_t operations);
void network_put(int pe, uint64_t name, const void *source, size_t bytes);
void network_put_nbi(int pe, uint64_t name, const void *source, size_t bytes);
void network_put_now(int pe, uint64_t name, const void *source, size_t bytes);
size_t network_ask(int pe, int number, const void *message, size_t bytes, void *answer);
void network_send(int pe, int number, const void *message, size_t bytes);
void network_request(int pe, int number, const void *message, size_t bytes, uint64_t answer);
// Sends a message without an answer. The caller has the lock, and does not run a handler.
void send_message_at_once(int pe, int number, const void *message, size_t bytes);
void network_get(void *dest, int pe, uint64_t name, size_t bytes);
void network_get_nbi(void *dest, int pe, uint64_t name, size_t bytes);
uint64_t network_atomic(enum skerry_far_operation operation, unsigned bytes, int pe, uint64_t name, uint64_t value,
                        uint64_t expected);
void network_put_and_signal(int pe, uint64_t name, const void *source, size_t bytes, uint64_t signal, uint64_t value,
                            bool adds);
void network_fence(uint32_t context);
void network_quiet(uint32_t context);
bool network_progress(void);

// -- landing.c ---------------------------------------------------------------------------------------------------------

// Sends a reply. Called by handlers of messages, which must not wait.
void reply_to(ucp_ep_h endpoint, uint64_t token, const void *data, size_t bytes);
// Sets the handlers of the worker's messages.
void handle_messages(void);
// Returns true if this thread runs a handler of a message. Then it has the lock, and must not send or wait.
bool is_handling(void);

// -- helper.c ----------------------------------------------------------------------------------------------------------

// Starts the helper thread if this PE needs it and it does not run. Ends it.
void start_helper(void);
void stop_helper(void);
// Called before and after a thread of the PE sleeps: the helper thread moves the worker meanwhile.
uint64_t network_sleep(bool begins);

// -- leave.c -----------------------------------------------------------------------------------------------------------

// Counts a message of a round of the barrier of nodes.
void count_leave_message(unsigned round);
void network_leave(void);

#endif
