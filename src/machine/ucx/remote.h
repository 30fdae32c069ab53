// SPDX-License-Identifier: BSD-3-Clause
// Declares remote access: the transport itself executes large puts and gets in the memory of the target's node, without
// a processor of that node. All other operations, including small puts and gets, are messages.
//
// Order:
// * Puts by remote access are complete only after a flush, and UCX does not order them with messages. So this PE first
//   flushes its earlier puts, and then sends the messages of a link, the connection to a node (await_puts).
// * A put that follows a fence starts only when all earlier operations on its node are complete (await_fenced). A large
//   put that no fence separates from earlier messages possibly takes effect before them.
// * A get by remote access waits for all earlier operations of this PE, so it sees them. A get_nbi does not wait.
// * The quiet of a context completes the puts of all contexts, but only the gets of this one context.
//
// Keys: a port registers the memory of its node's PEs in pieces. It registers a piece when another PE puts to it or
// gets from it for the first time (keys.c). So memory that no other node uses is neither pinned nor allocated.
//
// Waiting: a put by remote access does not wake a PE that waits for the data. So a port that sends its first key sets a
// flag for the PEs of its node (skerry_node.written_remotely). From then on no sleep lasts longer than
// SKERRY_NETWORK_SLEEP_MOST.
#ifndef SKERRY_MACHINE_UCX_REMOTE_H
#define SKERRY_MACHINE_UCX_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <ucp/api/ucp.h>

struct link;

#define PIECE_SHIFT 24 // a piece of registered memory has up to 16 MB
#define PIECE_MASK ((UINT64_C(1) << PIECE_SHIFT) - 1)

// A table of pointers, in which a pointer is found by a number (keys.c). The table is empty if all words are 0.
struct table {
    struct slot *slots;
    size_t size, used;
};

// Data of a link (the connection to a node) that only puts and gets by the network hardware need. It is allocated at
// the first large put or get.
struct remote {
    bool is_possible;  // UCX reports remote access for this link, or the user asks for it
    uint64_t puts;     // number of puts that this PE has started
    uint64_t flushing; // number of the newest put that the newest flush covers
    uint64_t flushed;  // number of the newest put that is complete
    uint64_t messages; // number of records that were collected for this node
    uint64_t landed;   // a lower limit of the number of these records that have been executed
    uint64_t fences;   // value of access.fences at the last put
    struct table keys; // of struct key, by PE and piece
    struct link *next; // in the list access.written
    bool is_in_written;
};

// The key to a piece of a PE's memory. `handle` is NULL if the other node could not register the piece.
struct key {
    ucp_rkey_h handle;
    uint64_t first, end; // names (linux/network.h) of the first byte and of the byte after the last
    uint64_t address;    // address of `first` in the process that has registered the piece
};

// -- choose.c ----------------------------------------------------------------------------------------------------------

// Reads the environment variables SKERRY_NETWORK_PUT and SKERRY_ATOMICS (SKERRY_ATOMICS has only one allowed value).
// Returns the features of UCX that puts and gets by the network hardware need. Must be called before UCX is
// initialised.
uint64_t choose_access(void);
// Returns true if the network hardware executes a put or get of this size on this link (the connection to a node). The
// caller has the lock (network.lock).
bool uses_remote_access(struct link *link, size_t bytes);
// Returns true if a network device of this machine executes puts and gets by itself (remote access).
bool has_remote_network(void);

// -- remote.c ----------------------------------------------------------------------------------------------------------

struct completion; // internal.h

// Put or get any number of bytes. The caller has the lock (network.lock).
void put_remotely(struct link *link, int pe, uint64_t name, const void *source, size_t bytes,
                  struct completion completion);
void get_remotely(struct link *link, void *dest, int pe, uint64_t name, size_t bytes, struct completion completion);
// Waits until the puts that the network hardware executes on a link for this PE are complete. The caller has the lock
// (network.lock).
void await_puts(struct link *link);
// Records a fence: puts by the network hardware that start later must wait for the operations before the fence.
void fence_puts(void);
// begin_flushes starts to complete all puts that the network hardware executes. end_flushes waits until all puts that
// have been started are complete. The caller has the lock (network.lock).
void begin_flushes(void);
void end_flushes(void);

// -- keys.c ------------------------------------------------------------------------------------------------------------

// Returns the key to the piece of memory that contains the object with this name. The name is that of linux/network.h.
// At the first call for a piece, requests the key from the target's node. The caller has the lock (network.lock).
const struct key *key_for(struct link *link, int pe, uint64_t name);
// Registers the piece of memory of a near PE that contains the object with this name (linux/network.h). Sends the
// piece's key to the PE that asked for it.
void answer_key(ucp_ep_h endpoint, int pe, uint64_t name, uint64_t token);

#endif
