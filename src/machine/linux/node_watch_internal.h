// SPDX-License-Identifier: BSD-3-Clause
// What the files of the watch of other nodes have in common: node_watch.c has the connections that this node makes, and
// node_guests.c those that other nodes make to it.
#ifndef SKERRY_LINUX_NODE_WATCH_INTERNAL_H
#define SKERRY_LINUX_NODE_WATCH_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "node_watch.h"

#define TRIES 4 // requests without an answer at a time, so that each waits one second

// The first message on a connection. The other side answers by one byte, and each side sends such a byte again when its
// state changes.
struct hello {
    uint8_t token[SKERRY_ENDPOINT_TOKEN];
    int32_t node;
    uint32_t state; // enum skerry_node_state
};

enum path_state { CONNECTING, HELD, GIVEN_UP };

// The way to one address of a node. Is never freed, and `next` is set before the path comes into the list, so that
// skerry_forget_node_watch can read the list at any time.
struct path {
    struct path *next;
    int node;
    struct skerry_node_endpoint endpoint; // of the node; only address[0] is used
    enum path_state state;
    int descriptor;       // of the connection, while the path is HELD; else -1
    int tries[TRIES];     // requests for a connection without an answer, while the path is CONNECTING; -1: free
    int newest;           // index of the last one
    double try_at;        // time of the next request
    double polled_at;     // time of the last step
    double silence;       // seconds without an answer in which this process ran, while the path is not HELD
    double silent_before; // seconds of silence before the path was lost
    double begun_at;      // time of the first try
    bool is_refusal_told; // the event SKERRY_NODE_REFUSED was reported
    bool was_refused;     // the last answer was a refusal
    bool was_reached;     // the other node's kernel has accepted a connection
    bool is_greeted;      // the other watcher has sent its state
    uint8_t told;         // its last state
};

// A connection of another node to this node.
struct guest {
    struct guest *next;
    int descriptor; // -1: free
    int node;       // -1: the hello has not arrived
    double deadline;
    size_t arrived; // bytes of the hello
    struct hello hello;
    uint8_t told; // its last state
};

struct skerry_node_watch {
    int own;
    int listener, events; // `events`: epoll, for all descriptors
    struct skerry_node_endpoint endpoint;
    struct skerry_own_addresses own_addresses;
    struct path *paths;
    struct guest *guests;
    int open_paths, unproven_guests;
    struct skerry_node_event ended; // an end that was noticed and not yet reported; its node is -1: none
    int ends_job;                   // node that ends the job, not yet reported; -1: none
    int called;                     // the same for SKERRY_NODE_CALLED
    int expected;      // node that connects to this one, because it is the previous one in the ring; -1: none
    bool has_expected; // it has connected
    uint8_t state;
};

// Marks the pointer to a guest among the events. Events of paths have the pointer without the mark, and those of the
// listener have 0.
#define SKERRY_IS_GUEST 1

// Lets the events of a descriptor be reported with `data`. Returns false if the kernel refuses.
bool skerry_add_watch_event(const struct skerry_node_watch *watch, int descriptor, uint32_t what, uintptr_t data);
// Records the state that node `node` has told in `told`.
void skerry_note_node_state(struct skerry_node_watch *watch, int node, int state, uint8_t *told);
// Records that the watcher of node `node` has ended, which has told this state before.
void skerry_note_end_of_node(struct skerry_node_watch *watch, int node, int told);

// Accepts new connections of other nodes, and closes those that have not said who they are for too long.
void skerry_step_guests(struct skerry_node_watch *watch, double now);
// Reads what has arrived on the connection of another node.
void skerry_hear_guest(struct skerry_node_watch *watch, struct guest *guest);

#endif
