// SPDX-License-Identifier: BSD-3-Clause
// Defines what the library and a network module know of each other. A job of several nodes loads one module, by dlopen.
// The module moves data to and from far PEs: PEs of other nodes. A job of one node loads none.
//
// A name is the place of an object in the memory of any PE, as messages carry it (far_name in pe/far.c). Each node has
// some receiving PEs, its ports: the first PEs of the node. A port lands messages for every PE of its node, because it
// maps the partitions of all of them.
#ifndef SKERRY_MACHINE_LINUX_NETWORK_H
#define SKERRY_MACHINE_LINUX_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "far.h"

#define SKERRY_NETWORK_PORTS_MAX 4
#define SKERRY_NETWORK_PORTS 2 // of a node that has as many PEs
#define SKERRY_NETWORK_ADDRESS_MAX 1000
#define SKERRY_NETWORK_ANSWER_MAX 512 // SKERRY_FAR_ANSWER_MAX of contract/far.h
#define SKERRY_NETWORK_CONTEXTS 64    // SKERRY_FAR_CONTEXTS of contract/far.h

// Name of a module's thread, by which the launcher knows that it waits for no PE. It blocks all signals.
#define SKERRY_NETWORK_THREAD "skerry-network"

struct skerry_port {
    uint32_t bytes;
    uint8_t address[SKERRY_NETWORK_ADDRESS_MAX];
};

struct skerry_node {
    int32_t first;  // rank of the node's first PE; the nodes are sorted by it
    int32_t count;  // number of the node's PEs
    uint32_t left;  // each PE of the node adds 1 when it leaves, and then the first port adds 1; with release
    uint32_t ports; // number of ports
    // For `oshrun --stats`: number of messages, and of bytes in them, that the PEs of the own node have sent to this
    // node, without replies; number of bytes that they have got from it. A PE adds to them without ordering.
    uint64_t sent_messages;
    uint64_t sent_bytes;
    uint64_t got_bytes;
    uint64_t written_remotely; // 1: PEs of other nodes possibly change this node's memory without waking its PEs
    struct skerry_port port[SKERRY_NETWORK_PORTS_MAX];
};

// The nodes of the job and the addresses of their ports. The launcher creates it in a memory file, which all PEs of a
// node map. Its size is skerry_wire_up_bytes(node_count). node_count elements of type struct skerry_node follow.
struct skerry_wire_up {
    uint32_t node_count;
    uint32_t published; // number of ports whose addresses are in the table; a port adds 1 with release
};

static inline struct skerry_node *skerry_nodes(struct skerry_wire_up *wire_up) {
    return (struct skerry_node *)(void *)(wire_up + 1);
}

static inline size_t skerry_wire_up_bytes(uint32_t node_count) {
    return sizeof(struct skerry_wire_up) + node_count * sizeof(struct skerry_node);
}

// What the library gives the module.
struct skerry_network_host {
    int32_t my_pe;
    int32_t pe_count;
    int32_t node;        // index of this PE's node
    bool bound;          // the launcher has bound this process to a processor
    bool oversubscribed; // more PEs than processors on this node
    struct skerry_wire_up *wire_up;
    // Words in which the module counts (far_sent and far_landed of job.h). Only this process writes them.
    uint64_t *sent, *landed;
    // NULL if a launcher shares wire_up among all nodes. Otherwise each PE calls the function once, after it has added
    // its own address, if it is a port. The function adds the addresses of the ports of other nodes.
    void (*exchange)(void);
    void *(*place)(int pe, uint64_t name); // returns the address at which this process maps the object of a near PE
    // Stores the names of the first byte, and of the byte behind the last, of the symmetric heap or the static data,
    // whichever contains a name. Returns false if neither does.
    bool (*bounds)(uint64_t name, uint64_t *first, uint64_t *end);
    void (*wake)(int pe); // wakes threads that sleep until a word of a near PE changes
    // Runs the handler of a message for near PE `pe` (contract/far.h). Returns the size of its answer.
    size_t (*handle)(int pe, int from, int number, const void *message, size_t bytes, void *answer);
    uint32_t (*context)(void);      // returns the context of the calling thread's operations (contract/far.h)
    void (*fail)(const char *text); // ends the job with an error message
};

// What the module gives the library. `pe` is a far PE. All functions can be called by several threads, and by handlers
// of interrupts: the library runs no handler in a thread that executes one of these functions. They return when
// the operation is complete, with these exceptions: a put, and an atomic operation that returns no old value, are
// complete when a later quiet has returned. put_nbi also reads its source until then, and get_nbi writes its
// destination until then.
struct skerry_network {
    void (*put)(int pe, uint64_t name, const void *source, size_t bytes);
    void (*put_nbi)(int pe, uint64_t name, const void *source, size_t bytes);
    void (*get)(void *dest, int pe, uint64_t name, size_t bytes);
    void (*get_nbi)(void *dest, int pe, uint64_t name, size_t bytes);
    uint64_t (*atomic)(enum skerry_far_operation operation, unsigned bytes, int pe, uint64_t name, uint64_t value,
                       uint64_t expected);
    // As skerry_far_put_now, skerry_far_ask, skerry_far_send and skerry_far_request do (contract/far.h).
    void (*put_now)(int pe, uint64_t name, const void *source, size_t bytes);
    size_t (*ask)(int pe, int number, const void *message, size_t bytes, void *answer);
    void (*send)(int pe, int number, const void *message, size_t bytes);
    void (*request)(int pe, int number, const void *message, size_t bytes,
                    uint64_t answer); // a name in this PE's memory
    // Copies the data, then stores or adds `value` to the word `signal`. Leaves at once. The word changes after the data,
    // and after all earlier puts of this PE to PEs of that node. Not acknowledged: `quiet` need not wait for it.
    void (*put_and_signal)(int pe, uint64_t name, const void *source, size_t bytes, uint64_t signal, uint64_t value,
                           bool adds);
    // Operations of a context on one PE take effect in the order of the fences between them. All operations of a context are
    // complete. Context 0 stands for all contexts.
    void (*fence)(uint32_t context);
    void (*quiet)(uint32_t context);
    bool (*progress)(void); // sends what is gathered, and lands messages that have arrived; true if there were any
    // Called before and after a thread of this PE sleeps in a wait. Before, returns for how many nanoseconds the thread is
    // allowed to sleep.
    uint64_t (*sleep)(bool begins);
    void (*enter)(void); // begins or resumes the use of the network; called again after `leave`
    void (*leave)(void); // completes all operations, returns when no PE needs this PE as a port any more, and stops
    void (*stop)(void);  // ends the module's threads
};

// The module has three public symbols. The first is a function of this type.
#define SKERRY_NETWORK_OPEN "skerry_network_open"
typedef const struct skerry_network *skerry_network_open_function(const struct skerry_network_host *host);

// The second stores the names of the transports that the module can use on this machine in `names`, with a blank between
// them. The text is empty if there is none.
#define SKERRY_NETWORK_DESCRIBE "skerry_network_describe"
typedef void skerry_network_describe_function(char *names, size_t bytes);

// The third returns true if a network device of this machine puts and gets by itself (remote access).
#define SKERRY_NETWORK_IS_REMOTE "skerry_network_is_remote"
typedef bool skerry_network_is_remote_function(void);

#endif
