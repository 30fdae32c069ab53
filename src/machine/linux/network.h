// SPDX-License-Identifier: BSD-3-Clause
// Defines the interface between the library and a network module. The module moves data to and from far PEs: PEs of
// other nodes. Each process of a job of several nodes loads one module by dlopen. A job of one node loads no module.
//
// Two terms:
// * Name: a number by which all PEs identify the same symmetric object. Usually the name is the object's offset in a
//   partition (the memory of one PE). See skerry_far_name in pe/far_network.c.
// * Ports of a node: its first PEs, which receive the messages for all PEs of the node. A port maps the partitions of
//   all PEs of its node. So it can store a message's data in the memory of each of them.
#ifndef SKERRY_MACHINE_LINUX_NETWORK_H
#define SKERRY_MACHINE_LINUX_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "far.h"
#include "node_endpoint.h"

#define SKERRY_NETWORK_PORTS_MAX 4
#define SKERRY_NETWORK_PORTS 2 // ports of a node with at least this many PEs; a smaller node has a port for each PE
#define SKERRY_NETWORK_ADDRESS_MAX 1000
#define SKERRY_NETWORK_ANSWER_MAX 512  // SKERRY_FAR_ANSWER_MAX of contract/far.h
#define SKERRY_NETWORK_COPIED_MAX 4096 // SKERRY_FAR_COPIED_MAX of contract/far.h
#define SKERRY_NETWORK_CONTEXTS 64     // SKERRY_FAR_CONTEXTS of contract/far.h

// Name of the thread that a module starts. The launcher recognises the thread by this name, and does not count it as a
// thread that waits for a PE. The thread blocks all signals.
#define SKERRY_NETWORK_THREAD "skerry-network"

// The address of a port, in a form that only the module knows.
struct skerry_port {
    uint32_t bytes;
    uint8_t address[SKERRY_NETWORK_ADDRESS_MAX];
};

struct skerry_node {
    int32_t first;  // rank of the node's first PE; the array of nodes is sorted by this rank
    int32_t count;  // number of the node's PEs
    uint32_t left;  // each PE of the node adds 1 when it leaves, and then the first port adds 1 (a release)
    uint32_t ports; // number of ports
    // Statistics for `oshrun --stats`. The PEs of the node on which this table lies add to them, by relaxed atomics.
    // sent_messages and sent_bytes count the messages, without replies, that these PEs have sent to the node that this
    // struct describes. got_bytes counts the bytes that these PEs have got from that node.
    uint64_t sent_messages;
    uint64_t sent_bytes;
    uint64_t got_bytes;
    uint64_t written_remotely; // 1: PEs of other nodes possibly change this node's memory without waking its PEs
    // For the process that watches the paths to the nodes that the PEs of this node use (node_watch.h).
    uint32_t
        is_used; // 1: a PE of the node on which this table lies sends messages to the node that this struct describes
    uint32_t is_heard;  // 1: such a PE has received a reply from that node
    uint32_t next_used; // of the struct number i: 1 + the index of the node that was used as number i; 0: none yet
    uint32_t reserved;
    // Where the first PE of the node listens, in a job that srun or mpirun has started (pe/node_ring.c). Written before the
    // addresses of the ports are published.
    struct skerry_node_endpoint endpoint;
    struct skerry_port port[SKERRY_NETWORK_PORTS_MAX];
};

#define SKERRY_NETWORK_SLEEP_MOST 1000000 // nanoseconds

// Returns for how many nanoseconds a PE of this node may sleep without looking at its words. Puts by remote access change
// memory without waking a PE.
static inline uint64_t skerry_node_sleep_most(const struct skerry_node *node) {
    return __atomic_load_n(&node->written_remotely, __ATOMIC_RELAXED) ? SKERRY_NETWORK_SLEEP_MOST : UINT64_MAX;
}

// The table of the job's nodes and of the addresses of their ports (PEs that receive messages for their node). The
// launcher creates the table in a memory file, which all PEs of a node map. node_count elements of type struct
// skerry_node follow this struct. The size of the whole table is skerry_wire_up_bytes(node_count).
struct skerry_wire_up {
    uint32_t node_count;
    uint32_t published; // number of ports whose addresses are in the table; each port adds 1 (a release)
    uint32_t used;      // number of nodes that PEs of this node use; a PE adds 1 before it stores next_used
    // Number of the job's PEs that share the processors of this node, in a job that srun or mpirun has started. 0: not known
    // yet. A futex (pe/managed_exchange.c).
    uint32_t sharing_pes;
};

static inline struct skerry_node *skerry_nodes(struct skerry_wire_up *wire_up) {
    return (struct skerry_node *)(void *)(wire_up + 1);
}

// Enters node `node` into the list of the nodes that PEs of this node use. Must be called before the first message to this
// node. Several PEs can call it at the same time: the exchange lets one of them enter the node, and the addition gives it
// an element of the list of its own. The launcher reads the element (acquire) until it is not 0.
static inline void skerry_use_node(struct skerry_wire_up *wire_up, uint32_t node) {
    struct skerry_node *nodes = skerry_nodes(wire_up);
    if (__atomic_load_n(&nodes[node].is_used, __ATOMIC_RELAXED) ||
        __atomic_exchange_n(&nodes[node].is_used, 1, __ATOMIC_RELAXED))
        return;
    const uint32_t place = __atomic_fetch_add(&wire_up->used, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&nodes[place].next_used, node + 1, __ATOMIC_RELEASE);
}

// Returns true if the addresses of all ports are in the table (acquire).
static inline bool skerry_is_wired_up(struct skerry_wire_up *wire_up) {
    uint32_t ports = 0;
    for (uint32_t i = 0; i < wire_up->node_count; i++) ports += skerry_nodes(wire_up)[i].ports;
    return __atomic_load_n(&wire_up->published, __ATOMIC_ACQUIRE) >= ports;
}

static inline size_t skerry_wire_up_bytes(uint32_t node_count) {
    return sizeof(struct skerry_wire_up) + node_count * sizeof(struct skerry_node);
}

// Two hashes that identify a program (pe/identity.c).
struct skerry_program {
    uint64_t headers; // of the executable's program headers and notes
    uint64_t file;    // of the executable's file; 0: the process cannot read the file
};

static inline bool skerry_is_same_program(const struct skerry_program *a, const struct skerry_program *b) {
    return a->headers == b->headers && (a->file == b->file || a->file == 0 || b->file == 0);
}

// Type of a function that is called when a transfer has ended (skerry_far_ended of contract/far.h).
typedef void skerry_network_ended(void *given);

// Data and functions of the library that the module uses.
struct skerry_network_host {
    int32_t my_pe;
    int32_t pe_count;
    int32_t node;        // index of this PE's node
    bool bound;          // the launcher has bound this process to a processor
    bool oversubscribed; // more PEs than processors on this node
    struct skerry_wire_up *wire_up;
    struct skerry_program program; // of this process, if it is a port; the ports of all nodes must have the same one
    // The words far_sent and far_landed of this PE's control block (job.h). The module counts in them the records
    // (operations) that it has sent and executed. Only this process writes them.
    uint64_t *sent, *landed;
    // NULL if a launcher distributes the contents of wire_up among all nodes. If not NULL, the module calls this
    // function once in each PE. The function adds the addresses of the ports of other nodes. A port calls it after the
    // port has added its own address to wire_up.
    void (*exchange)(void);
    void *(*place)(int pe, uint64_t name); // returns the address at which this process maps the object of a near PE
    // A name is a number by which all PEs identify the same byte of symmetric memory (see above). Consecutive bytes
    // have consecutive names. Finds the memory in which the byte `name` lies: the symmetric heap or the static data.
    // Stores the name of the first byte of this memory in *first, and the name of its last byte plus 1 in *end. Returns
    // false if the byte lies in neither.
    bool (*bounds)(uint64_t name, uint64_t *first, uint64_t *end);
    void (*wake)(int pe); // wakes threads that sleep until a word of a near PE changes
    // Runs the handler of a message for the near PE `pe` (contract/far.h). Returns the size of the handler's answer in
    // bytes.
    size_t (*handle)(int pe, int from, int number, const void *message, size_t bytes, void *answer);
    // Calls `ended` with `given`. A transfer that begin_put or begin_get has begun has ended.
    void (*end)(skerry_network_ended *ended, void *given);
    uint32_t (*context)(void);      // returns the context of the calling thread's operations (contract/far.h)
    void (*fail)(const char *text); // ends the job with an error message
};

// Functions of the module that the library calls. `pe` is a far PE. Several threads can call these functions at the
// same time. Handlers of interrupts can call them too, because the library runs no handler in a thread that executes
// one of them. A function returns when its operation is complete, with these exceptions:
// * A put, and an atomic operation that returns no old value, are complete when a later quiet has returned.
// * Until that quiet has returned, put_nbi can still read its source, and get_nbi can still write its destination.
// * begin_put and begin_get return at once. The module calls `ended` when the transfer has ended.
struct skerry_network {
    void (*put)(int pe, uint64_t name, const void *source, size_t bytes);
    void (*put_nbi)(int pe, uint64_t name, const void *source, size_t bytes);
    void (*get)(void *dest, int pe, uint64_t name, size_t bytes);
    void (*get_nbi)(void *dest, int pe, uint64_t name, size_t bytes);
    // The next three functions do what skerry_far_begin_put, skerry_far_begin_get and skerry_far_order_begun_puts do
    // (contract/far.h).
    void (*begin_put)(int pe, uint64_t name, const void *source, size_t bytes, skerry_network_ended *ended,
                      void *given);
    void (*begin_get)(void *dest, int pe, uint64_t name, size_t bytes, skerry_network_ended *ended, void *given);
    void (*order_begun_puts)(void);
    uint64_t (*atomic)(enum skerry_far_operation operation, unsigned bytes, int pe, uint64_t name, uint64_t value,
                       uint64_t expected);
    // The next four functions do what skerry_far_put_now, skerry_far_ask, skerry_far_send and skerry_far_request do
    // (contract/far.h).
    void (*put_now)(int pe, uint64_t name, const void *source, size_t bytes);
    size_t (*ask)(int pe, int number, const void *message, size_t bytes, void *answer);
    void (*send)(int pe, int number, const void *message, size_t bytes);
    void (*request)(int pe, int number, const void *message, size_t bytes,
                    uint64_t answer); // name of the place for the reply in this PE's memory
    // Copies the data to PE `pe`. Then stores `value` in the word `signal` of that PE or, if `adds` is true, adds
    // `value` to the word. Sends both at once. The word changes only after the data has arrived, and after all earlier
    // puts of this PE to PEs of that node. The receiver sends no acknowledgement, and `quiet` need not wait for the
    // operation.
    void (*put_and_signal)(int pe, uint64_t name, const void *source, size_t bytes, uint64_t signal, uint64_t value,
                           bool adds);
    // fence orders the operations of a context on each PE. On the same PE, operations before the fence take effect
    // before operations after the fence. quiet returns when all earlier operations of a context are complete. Context 0
    // stands for all contexts.
    void (*fence)(uint32_t context);
    void (*quiet)(uint32_t context);
    // Sends the data of puts that are not sent yet, and executes messages that have arrived. Returns true if it sent or
    // executed anything.
    bool (*progress)(void);
    // A thread of this PE calls this function before (`begins` true) and after (`begins` false) it sleeps in a wait.
    // Before the sleep, the function returns for how many nanoseconds the thread is allowed to sleep.
    uint64_t (*sleep)(bool begins);
    void (*enter)(void); // begins or resumes the use of the network; called again after `leave`
        // Completes all operations, waits until no PE needs this PE as a port any more, and ends the use of the network.
    void (*leave)(void);
    void (*stop)(void); // ends the module's threads
};

// The module has three public symbols, all functions. The first is of this type, and returns the module's functions.
#define SKERRY_NETWORK_OPEN "skerry_network_open"
typedef const struct skerry_network *skerry_network_open_function(const struct skerry_network_host *host);

// The second symbol is a function of this type. It stores the names of the transports that the module can use on this
// machine in `names`, with a blank between two names. The text is empty if there is no such transport.
#define SKERRY_NETWORK_DESCRIBE "skerry_network_describe"
typedef void skerry_network_describe_function(char *names, size_t bytes);

// The third symbol is a function of this type. It returns true if this machine has remote access: a network device that
// executes puts and gets without the processor of the other node.
#define SKERRY_NETWORK_IS_REMOTE "skerry_network_is_remote"
typedef bool skerry_network_is_remote_function(void);

#endif
