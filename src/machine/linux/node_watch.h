// SPDX-License-Identifier: BSD-3-Clause
// Watches the network paths from this node to other nodes. PEs that wait for data on a path that is cut would wait for
// many minutes, because TCP sends lost data again for so long. One process of each node watches: skerry-node in a job of
// oshrun, the first PE of the node in a job that srun or mpirun has started (pe/neighbours.c). The library and
// skerry-node are built with this file.
//
// Which paths must be watched: those to each node to which a PE of this node sends messages. A PE enters the node into the
// table of nodes before it connects to the node (skerry_use_node in network.h). Why these are all paths that matter:
// * A PE can only wait for ever if a message does not arrive that another PE has sent, or that it has sent itself.
// * The node of the sender of a message has the other node in its table, and the answers travel on the same path.
// * If one direction of a path is cut, no acknowledgement of TCP arrives in the other direction. So it is enough that one
//   of the two nodes watches the path.
//
// How a path is watched: each watcher listens at a port. The watcher of the sender's node connects to it, by all networks
// that the two nodes share, and sends a random number (the token) that only the nodes of the job know. The kernel sends a
// probe after every second of silence (TCP keepalive), and the kernel of the other node answers. So the watch
// needs no work of a process, and a process that is stopped or gets no processor time is not taken for dead. If no answer
// comes for 5 seconds, the watcher tries to connect again for 2 seconds, every 0.25 s. These count only while the watcher runs. So a
// path does not count as cut if this machine itself has slept.
//
// How the end of a watcher is noticed: each side tells the other side by a byte whether it is still needed, or has not
// called shmem_init yet. If the kernel closes the connection to a process that is needed, that process has ended. Another byte tells that a watcher ends
// the job and has said why, so that the others need not.
//
// The cost: a descriptor on both nodes, and a packet each second, for each pair of nodes that exchange data.
#ifndef SKERRY_MACHINE_LINUX_NODE_WATCH_H
#define SKERRY_MACHINE_LINUX_NODE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "node_endpoint.h"

#ifdef __cplusplus
extern "C" {
#endif

// Seconds without an answer after which a path counts as cut.
#define SKERRY_NODE_SILENCE 7

struct skerry_node_watch;

// Listens at a free port. `own` is the index of this node. `devices` is a list with commas, as in UCX_NET_DEVICES, or NULL:
// if it contains names of network interfaces that have an address, only their addresses are watched. Returns NULL, with
// the reason in errno, if that fails.
struct skerry_node_watch *skerry_open_node_watch(int own, const char *devices);

// Returns the endpoint of this node, which is constant.
const struct skerry_node_endpoint *skerry_own_endpoint(const struct skerry_node_watch *watch);

// The functions below are called by one thread at a time, except skerry_forget_node_watch. `now` is the time in seconds, of
// a clock that nobody sets.

// Begins to watch the path to node `node`. Returns false if there is no memory.
bool skerry_watch_node(struct skerry_node_watch *watch, int node, const struct skerry_node_endpoint *endpoint,
                       double now);

// Returns the file descriptor that the caller must poll for input before it calls skerry_step_node_watch.
int skerry_node_watch_descriptor(const struct skerry_node_watch *watch);

// Returns in how many milliseconds the caller must call skerry_step_node_watch at the latest; -1: no limit.
int skerry_node_watch_wait(const struct skerry_node_watch *watch);

enum skerry_node_event_kind {
    SKERRY_NODE_SILENT,    // the node has answered before, and does not answer any more
    SKERRY_NODE_UNREACHED, // the node has never answered: a firewall can be the reason
    SKERRY_NODE_REFUSED,  // the node has refused all connections until now: a firewall can be the reason; tells it once
    SKERRY_NODE_ENDED,    // the watcher of the node has ended although it is needed
    SKERRY_NODE_LEFT,     // the watcher of the node has ended before its PE has called shmem_init
    SKERRY_NODE_ENDS_JOB, // the watcher of the node ends the job, and has written a line
    SKERRY_NODE_CALLED,   // the PE of the watcher has called shmem_init
};

struct skerry_node_event {
    int node;
    enum skerry_node_event_kind kind;
};

// Handles what has happened. Returns true and stores an event if there is a new one. The caller repeats the call until it
// returns false. After SKERRY_NODE_SILENT, SKERRY_NODE_UNREACHED,
// SKERRY_NODE_ENDED and SKERRY_NODE_LEFT the path is not watched any more.
bool skerry_step_node_watch(struct skerry_node_watch *watch, double now, struct skerry_node_event *event);

// Returns true if the kernel of the node has accepted a connection of this node at any time.
bool skerry_node_was_reached(const struct skerry_node_watch *watch, int node);

// Names the node that watches this one in the ring of the nodes. Called before skerry_step_node_watch.
void skerry_expect_node(struct skerry_node_watch *watch, int previous);

// Returns true if this node has reached node `next`, and has been reached by the node of skerry_expect_node, so that each of
// them notices the end of this process. Stays true if these nodes end.
bool skerry_node_watch_joins(const struct skerry_node_watch *watch, int next);

// Tells the watchers of all connected nodes the state of this process. At first it is needed.
enum skerry_node_state {
    SKERRY_NODE_IS_NEEDED = 1,
    SKERRY_NODE_IS_NOT_NEEDED,
    SKERRY_NODE_IS_ENDING_JOB,
    SKERRY_NODE_IS_EARLY // its PE has not called shmem_init yet: its end is a failure if other PEs wait for it
};
void skerry_tell_watched_nodes(struct skerry_node_watch *watch, enum skerry_node_state state);

// Tells the watcher at `endpoint` that this process ends the job and has written a line that says why. For a process of node
// `own` that has no watch, and ends soon: it leaves the connection open. Waits at most `milliseconds` for the connection.
void skerry_announce_end(const struct skerry_node_endpoint *endpoint, int own, int milliseconds);

// Closes the descriptors. Called in a child process that the watcher has forked, possibly while another thread executed
// one of the functions above, and before the end of the watch.
void skerry_forget_node_watch(struct skerry_node_watch *watch);

#ifdef __cplusplus
}
#endif

#endif
