// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of the network module share. The module transfers data to and from far PEs by UCX (its layer
// UCP). Every operation is a record in an active message, which a port of the target's node executes. A port is a PE
// that receives the messages for all PEs of its node. If the transport has remote access in hardware, large puts and
// gets use remote access instead (remote.h).
//
// Order of operations:
// * Small operations are collected in one batch for each node. A batch is sent when it is full, and when this PE waits,
//   fetches or completes its operations.
// * One endpoint (UCX's end of a connection) delivers its messages in order. So operations on one PE take effect in the
//   order of the calls, and a flag that is put after data arrives after the data.
// * A large put is a message of its own, whose data is not copied. UCX can transfer it by a rendezvous: the receiver
//   reads the data later. In this case a put returns only when the receiver has the data, and the next fence waits for
//   a put_nbi.
// * A quiet sends one request for an acknowledgement to each node on which this PE has operations, and waits for the
//   answers. The port answers in the order of the messages, so the answer acknowledges all earlier operations. If a
//   program often calls quiet after a wait, the request is already sent with the operations (batch.c).
//
// Threads:
// * `lock` protects UCX's worker (the object by which UCX sends and receives) and all data of the module. helper.c
//   names the exceptions.
// * The handlers of messages run inside ucp_worker_progress, so their caller has the lock.
// * A helper thread calls ucp_worker_progress while the PE computes or sleeps.
#ifndef SKERRY_MACHINE_UCX_INTERNAL_H
#define SKERRY_MACHINE_UCX_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucp/api/ucp.h>

#include "../linux/network.h"
#include "remote.h"

// Size of a batch in bytes. A batch is one message with several small operations. The largest message of contract/far.h
// must fit into a batch, together with its record and operands.
#define BATCH_BYTES (8192 + sizeof(struct batch_head) + sizeof(struct record) + sizeof(struct operands))
#define EAGER_BYTES_MAX 65536 // UCX itself chooses how to transfer a larger put or get; its choice can be a rendezvous

// Numbers of UCX's active messages. UCX's shortest path sends a message with one system call. UCX uses this path if the
// message is one block and carries no endpoint for a reply. Small replies are such messages, and so are all batches except
// the first batch from a PE to a node (send_short).
enum message { MESSAGE_BATCH, MESSAGE_PUT, MESSAGE_REPLY, MESSAGE_SMALL_REPLY };

// A batch begins with the rank of the PE that sends it. The first batch from a PE to a port (a PE that receives
// messages for its node) also carries an endpoint for replies. The port keeps this endpoint for all later replies.
struct batch_head {
    uint32_t from;
    uint32_t reserved;
};

// Kinds of records (operations in a message): those of enum skerry_far_operation, and the following kinds.
enum { RECORD_PUT = SKERRY_FAR_XOR + 1, RECORD_GET, RECORD_MESSAGE, RECORD_ACKNOWLEDGE, RECORD_LEAVE, RECORD_KEY };

// A record (one operation) in a batch, or the header of a large put. In a batch, these bytes come after the record:
//     put          the data of the put, padded to a multiple of 8 bytes
//     message      a struct operands, and then the data of the message, padded in the same way
//     other kinds  a struct operands
//
// In the record and operands of a message:
//     name      number of the handler
//     value     rank of the sender
//     expected  name of the place to which the answer is put. 0: no answer is put.
struct record {
    uint64_t name;  // place of the object in the memory of the PE, in the form of linux/network.h
    uint32_t bytes; // size of the object
    uint16_t near;  // the PE's number among the PEs of its node
    uint16_t kind;
};

struct operands {
    uint64_t token; // of the reply; 0: no reply
    uint64_t value, expected;
};

// Header of a reply, or the beginning of a small reply. The reply's data follows this struct.
struct reply {
    uint64_t token;
    uint64_t bytes;
};

// An operation that waits for a reply. The address of this struct is the token, which the reply returns. If the token
// is the address of a link plus TOKEN_OF_LINK, the reply is an acknowledgement. Its data is the number of operations
// that are complete.
struct pending {
    struct link *link; // to the node that replies
    void *dest;
    size_t bytes; // of the reply
    volatile uint32_t done;
    bool is_counted;     // of a get_nbi: counted in `transfers`, and freed when the reply has arrived
    uint32_t context;    // of a get_nbi
    struct begun *begun; // the transfer to which the get belongs, if begin_get has begun it
};
#define TOKEN_OF_LINK 1u

// A message that UCX has not sent yet.
struct send {
    struct send *next;
    struct reply reply;
    uint32_t used;
    int node; // of a batch: the node to which it is sent
    char data[BATCH_BYTES];
};

// The connection to a node. A link is in the list network.open if it possibly has an open batch. It is in the list
// network.active if it has operations that are not acknowledged. With these lists no operation must search the links to
// all nodes.
struct link {
    ucp_ep_h endpoint;
    struct send *open;     // batch that is being filled
    uint64_t operations;   // number of operations that this PE has started and that need an acknowledgement
    uint64_t requested;    // number of the newest operation for which an acknowledgement was requested
    uint64_t acknowledged; // number of the newest operation that is complete
    struct remote *remote; // NULL before the first large put or get
    struct link *next_open;
    struct link *next_active, **to_active; // to_active: the pointer in the list that points to this link
    uint32_t quiets;                       // network.quiets at the last early request for an acknowledgement (batch.c)
    uint8_t early_requests;                // number of the next batches that carry an early request
    bool is_in_open;
    bool is_known; // the port has the endpoint for replies to this PE
    bool is_heard; // the node has sent a reply
};

// Kinds of transfers that are counted until they have ended: large puts, gets by get_nbi and begin_get, and large puts
// that begin_put has begun.
enum transfer { TRANSFER_PUT, TRANSFER_GET, TRANSFER_BEGUN_PUT, TRANSFER_KINDS };

// A transfer that begin_put or begin_get has begun. It has several parts if it is larger than one message.
struct begun {
    unsigned parts; // number of parts that have not ended, plus 1 while parts are being started
    skerry_network_ended *ended;
    void *given; // argument of `ended`
};

// How a put or get returns: when it has ended, at once and completed by quiet (put_nbi, get_nbi), or at once with a
// function that is called at its end (begin_put, begin_get).
struct completion {
    bool returns;
    struct begun *begun;
};

// The header of a large put, and data of this PE about the put.
struct large_put {
    struct record record;
    enum transfer kind;
    uint32_t context;
    struct begun *begun; // the transfer to which the put belongs, or NULL
};

// A link (the connection to a node) with operations that a quiet waits for.
struct wanted {
    struct link *link;
    uint64_t operations;
};
#define WANTED_USUAL 64

// A message that a handler of a message wants to send. A handler must not call UCX. So the message is kept, and is sent
// after all handlers have returned.
struct kept {
    struct kept *next;
    int pe, number;
    size_t bytes;
    char message[];
};

// Data of the module. `lock` protects these variables, except those for which helper.c says otherwise.
extern struct network_state {
    const struct skerry_network_host *host; // constant
    ucp_context_h context;
    ucp_worker_h worker; // NULL: this PE is no port, and has executed no far operation
    int descriptor;      // readable if a message has arrived since ucp_worker_arm; constant
    pthread_mutex_t lock;
    struct link *links;                 // one for each node
    struct link *open, *active;         // lists
    unsigned sends_under_way;           // number of batches that UCX has not sent yet
    unsigned transfers[TRANSFER_KINDS]; // number of transfers under way (enum transfer)
    uint32_t quiets;                    // number of quiets that this PE has called
    uint64_t moves; // how often a thread of the PE, not the helper thread, has called ucp_worker_progress
    uint64_t work;  // how often ucp_worker_progress has had work; read without the lock too
    // True while a thread of the PE sleeps until a message arrives. After the sleep, this thread calls
    // ucp_worker_progress, so the helper thread need not.
    bool is_waiting;
    struct kept *kept; // messages of handlers that have not been sent, oldest first
    struct kept *last_kept;
    uint64_t landed_now; // number of records that were executed and not yet published (publish_landed)
} network;

// Returns true if this PE receives messages for the PEs of its node.
static inline bool is_port(void) {
    const struct skerry_node *here = &skerry_nodes(network.host->wire_up)[network.host->node];
    return network.host->my_pe - here->first < (int)here->ports;
}

// -- wire_up.c ---------------------------------------------------------------------------------------------------------

// Makes UCX's worker, the object by which UCX sends and receives. The caller has the lock, or no other thread uses the
// module yet.
void open_worker(void);
// Waits until the addresses of all nodes have arrived.
void await_addresses(void);

// -- describe.c --------------------------------------------------------------------------------------------------------

// Writes the names of UCX's transports on this machine to `names`. `config` can be NULL. Writes an empty text if there
// are none.
void list_transports(const ucp_config_t *config, char *names, size_t bytes);
// Writes the user's choice of networks to `text`, as "UCX_TLS=tcp, UCX_NET_DEVICES=eth1". Writes an empty text if the
// user has chosen nothing.
void list_choices(char *text, size_t bytes);
// Writes to `text` that this machine has no device of UCX_NET_DEVICES, and which devices it has. Returns false, and writes
// nothing, if it has one of them, or if the variable is not a list of names.
bool describe_missing_device(char *text, size_t bytes);

// -- worker.c ----------------------------------------------------------------------------------------------------------

// Seconds for which a PE waits after a lost connection, so that the launcher can end the job first. The launcher knows
// which PE or node has died. It notices within some seconds that a node does not answer (silence_limit in
// launch/limits.hpp).
#define LAUNCHER_SECONDS 12

// Ends the job with a message that contains UCX's text for `status`.
void fail(const char *what, ucs_status_t status);
// End the job with a message, as `fail` does, if the status or the request is an error.
void check_status(const char *what, ucs_status_t status);
void check_request(const char *what, ucs_status_ptr_t request);
// Sleeps for at least this time, also if signals arrive.
void sleep_nanoseconds(uint64_t nanoseconds);
// Returns the reading of the monotonic clock.
uint64_t nanoseconds(void);
// Calls ucp_worker_progress, and sends the messages that handlers have kept. Returns 0 if nothing happened. The caller
// has the lock (network.lock).
unsigned progress_worker(void);
// new_send returns a free message from a pool, and give_back returns a message to the pool.
struct send *new_send(void);
void give_back(struct send *send);
// Returns the options of a UCX operation. UCX calls `callback` with `given` if the operation does not complete at once.
ucp_request_param_t parameters(uint32_t flags, ucp_send_nbx_callback_t callback, void *given);

// make_send_datatype prepares send_short. send_short sends send->data, of send->used bytes, at most SHORT_BYTES_MAX, without
// an endpoint for replies. UCX calls `callback` with `send` if the message is not sent at once.
#define SHORT_BYTES_MAX (4096 + 128) // a reply or a put of 4096 bytes, with all that comes before the data
void make_send_datatype(void);
ucs_status_ptr_t send_short(ucp_ep_h endpoint, unsigned message, const struct send *send,
                            ucp_send_nbx_callback_t callback);

// -- wait.c ------------------------------------------------------------------------------------------------------------

// Progresses the worker once (handles messages that have arrived), and releases the lock for a moment so that other
// threads can take it. If no message has arrived in the last steps, sleeps until a message arrives. A thread of the PE
// that waits and has the lock calls this function in a loop. The helper thread must not call it.
void step(void);
// Wakes the thread that sleeps in `step`. Called by another thread, which has called ucp_worker_progress and has the
// lock.
void wake_other_waiter(void);
// Sleeps at network.descriptor until a message arrives, but for at most this number of milliseconds. The worker must be
// armed. The caller has no lock.
void sleep_at_descriptor(int milliseconds);
// Arms the worker: the next message makes network.descriptor readable. Returns false if there are messages that are not
// handled yet. The caller has the lock.
bool arm_worker(void);

// -- count.c -----------------------------------------------------------------------------------------------------------

// count_sent counts a record (one operation) that this process sends, and count_landed a record that it has executed.
// The caller has the lock (network.lock).
void count_sent(void);
void count_landed(void);
// Stores the number of executed records where the launcher reads it. The caller has the lock (network.lock).
void publish_landed(void);

// -- connect.c ---------------------------------------------------------------------------------------------------------

// Return the link (the connection) to a node, or to the node of a PE. Connect to the node at the first call, and end
// the job if that is not possible. The caller has the lock (network.lock).
struct link *link_to_node(int node);
struct link *link_to(int pe);
// Ends the job if a connection that another thread is making takes too long. The helper thread calls this function at
// least every few milliseconds, without the lock.
void watch_connection(void);
// Returns the index of the node of a PE.
int node_of(int pe);
// Writes the name of this host and UCX's address of this port to the table of nodes.
void write_address(struct skerry_port *port, const ucp_address_t *address, size_t bytes);
// Writes a node's name and PEs to `text`, of NODE_TEXT_BYTES bytes, as "node NAME (PEs 2-3)". Returns `text`. The
// addresses of all nodes must have arrived (await_addresses).
const char *describe_node(int node, char *text);

// Ends the job if a port of another node runs another program. Called in ports only, when the addresses of all nodes have
// arrived.
void check_programs(void);
#define HOST_NAME_BYTES 65
#define NODE_TEXT_BYTES (HOST_NAME_BYTES + 48)

// -- batch.c -----------------------------------------------------------------------------------------------------------

// Returns the entry, in the table of nodes, of the node to which a link leads. The PEs of this node share the table.
static inline struct skerry_node *node_of_link(const struct link *link) {
    return &skerry_nodes(network.host->wire_up)[link - network.links];
}

// Counts a message for `oshrun --stats`.
static inline void count_message(const struct link *link, size_t bytes) {
    __atomic_fetch_add(&node_of_link(link)->sent_messages, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&node_of_link(link)->sent_bytes, bytes, __ATOMIC_RELAXED);
}

// Send the operations that are collected for one node, or for all nodes. The caller has the lock (network.lock).
void send_batch(struct link *link);
void send_batches(void);
// Records that a quiet waits for the first `operations` operations on a link, so that send_batches can request
// acknowledgements early. Called before the quiet sends a request. The caller has the lock (network.lock).
void note_quiet(struct link *link, uint64_t operations);
// keep_message keeps a message that a handler of a message wants to send, and send_kept_messages sends the kept
// messages. The caller has the lock (network.lock).
void keep_message(int pe, int number, const void *message, size_t bytes);
void send_kept_messages(void);
// Counts an operation that needs an acknowledgement. The caller has the lock (network.lock).
void count_operation(struct link *link);
// Records that the first `operations` operations on a link (the connection to a node) are complete. The caller has the
// lock.
void acknowledge(struct link *link, uint64_t operations);
// Append a record (one operation) to the batch for a node: with `bytes` bytes of data, with operands, or with both. The
// caller has the lock (network.lock).
void append_data(struct link *link, const struct record *record, const void *data, size_t bytes);
void append_operands(struct link *link, const struct record *record, const struct operands *operands);
void append_message(struct link *link, const struct record *record, const struct operands *operands, const void *data);
struct record record_for(const struct link *link, int pe, uint64_t name, size_t bytes, unsigned kind);
// Puts up to SKERRY_NETWORK_ANSWER_MAX bytes to PE `pe`, which has sent a message to this PE. `endpoint` is the
// endpoint for replies to PE `pe`. Handlers of messages call this function, so it does not wait.
void put_back(ucp_ep_h endpoint, int pe, uint64_t name, const void *data, size_t bytes);

// -- account.c ---------------------------------------------------------------------------------------------------------

// Records that the last operation on the link belongs to the context of this thread. The callers of this function, and
// of the next four functions, have the lock (network.lock).
void account_for_operation(const struct link *link);
// begin_transfer counts a transfer that starts, and returns the context of this thread. end_transfer, with this
// context, counts the end of the transfer.
uint32_t begin_transfer(enum transfer kind);
void end_transfer(enum transfer kind, uint32_t context);
// Returns when no transfer of this kind is under way in the context. Context 0 means all contexts.
void wait_for_transfers(enum transfer kind, uint32_t context);
// Lists the links on which a context has operations that are not acknowledged, and returns their number. The context
// must not be 0. If there are at most WANTED_USUAL links, stores them in `few`. If there are more, allocates a longer
// list. `*wanted` is the list.
size_t list_unfinished(uint32_t context, struct wanted *few, struct wanted **wanted);

// -- operations.c: the functions of struct skerry_network --------------------------------------------------------------

// Starts a large put by a message. Waits for its end if the completion says so.
void send_put(struct link *link, int pe, uint64_t name, const void *source, size_t bytes, struct completion completion);
// These functions get data by messages. `begun` is the transfer to which the get belongs, or NULL for a get_nbi.
void send_get(struct link *link, void *dest, int pe, uint64_t name, size_t bytes);
void send_get_nbi(struct link *link, void *dest, int pe, uint64_t name, size_t bytes, struct begun *begun);
// begin_part counts a part of a transfer that starts, and end_part counts its end. end_part calls the transfer's
// function `ended` at the end of the last part. Both do nothing if `begun` is NULL. The caller has the lock
// (network.lock).
void begin_part(struct begun *begun);
void end_part(struct begun *begun);
// Requests that a node acknowledge all operations that this PE has started on it. Does nothing if another thread has
// already made a request that covers the first `operations` operations.
void request_acknowledgement(struct link *link, uint64_t operations);
void network_put(int pe, uint64_t name, const void *source, size_t bytes);
void network_put_nbi(int pe, uint64_t name, const void *source, size_t bytes);
void network_put_now(int pe, uint64_t name, const void *source, size_t bytes);
size_t network_ask(int pe, int number, const void *message, size_t bytes, void *answer);
void network_send(int pe, int number, const void *message, size_t bytes);
void network_request(int pe, int number, const void *message, size_t bytes, uint64_t answer);
// Sends a message without an answer. The caller has the lock, and must not be a handler of a message.
void send_message_at_once(int pe, int number, const void *message, size_t bytes);
void network_begin_put(int pe, uint64_t name, const void *source, size_t bytes, skerry_network_ended *ended,
                       void *given);
void network_begin_get(void *dest, int pe, uint64_t name, size_t bytes, skerry_network_ended *ended, void *given);
void network_order_begun_puts(void);
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

// Records that a reply has arrived from the node of a link. The launcher then knows that the nodes exchange data.
static inline void note_reply(struct link *link) {
    if (link->is_heard) return;
    link->is_heard = true;
    __atomic_store_n(&node_of_link(link)->is_heard, 1, __ATOMIC_RELAXED);
}
// Sends a reply. Called by handlers of messages, which must not wait.
void reply_to(ucp_ep_h endpoint, uint64_t token, const void *data, size_t bytes);
// Registers the functions that UCX calls when messages arrive.
void handle_messages(void);
// Returns true if this thread runs a handler of a message. Such a thread has the lock, and must not send or wait.
bool is_handling(void);

// -- helper.c ----------------------------------------------------------------------------------------------------------

// start_helper starts the helper thread if this PE needs a helper thread and none runs yet. stop_helper ends it.
void start_helper(void);
void stop_helper(void);
// A thread of the PE calls this function before (`begins` true) and after (`begins` false) it sleeps in a wait. During
// the sleep the helper thread handles messages. The call before the sleep returns for how many nanoseconds the thread
// is allowed to sleep.
uint64_t network_sleep(bool begins);

// -- leave.c -----------------------------------------------------------------------------------------------------------

// Counts an arrived message of one round of the barrier of nodes, which leave.c executes at the end of the job.
void count_leave_message(unsigned round);
void network_leave(void);

#endif
