// SPDX-License-Identifier: BSD-3-Clause
// Declares remote access: large puts and gets that the transport executes itself, in the memory of the target's node,
// without a processor there. All other operations are messages, and small puts and gets too.
//
// Order. Puts by remote access are complete only after a flush, and UCX does not order them with messages. So a link's
// messages leave after a flush of the puts that this PE has started before (await_puts), and a put that follows a fence
// starts when all earlier operations on its node are complete (await_fenced). A large put that no fence separates from
// earlier messages possibly takes effect before them. A get by remote access sees all earlier operations of this PE,
// because it waits for them; a get_nbi does not. The quiet of a context completes the puts of all contexts, and its own gets.
//
// Keys. A port registers the memory of its node's PEs in pieces, each when another PE first puts to it or gets from it
// (keys.c). So memory that nobody touches is neither pinned nor allocated.
//
// Waiting. Nobody wakes a sleeper after a put by remote access. So a port that hands out its first key says so to the
// PEs of its node (skerry_node.written_remotely), and from then on no sleep lasts longer than SLEEP_MOST (helper.c).
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
#define SLEEP_MOST 1000000 // nanoseconds

// A table of pointers by number (keys.c). All words 0: empty.
struct table {
    struct slot *slots;
    size_t size, used;
};

// What remote access needs of a link. Made at the first large put or get.
struct remote {
    bool is_possible;  // UCX reports remote access for this link, or the user asks for it
    uint64_t puts;     // number of puts that this PE has started
    uint64_t flushing; // so many of them are covered by the newest flush
    uint64_t flushed;  // so many of them are complete
    uint64_t messages; // number of records that were gathered for this node
    uint64_t landed;   // at least so many of them have been executed
    uint64_t fences;   // number of fences before the last put
    struct table keys; // of struct key, by PE and piece
    struct link *next; // in the list access.written
    bool is_in_written;
};

// Key to a piece of a PE's memory. `handle` is NULL if the other node could not register the piece.
struct key {
    ucp_rkey_h handle;
    uint64_t first, end; // names
    uint64_t address;    // of `first`, in the process that registered the piece
};

// -- choose.c ----------------------------------------------------------------------------------------------------------

// Reads SKERRY_NETWORK_PUT, and SKERRY_ATOMICS, which allows no choice. Returns the features of UCX that remote access
// needs. Called before UCX is initialised.
uint64_t choose_access(void);
// Returns true if a put or get of so many bytes goes by remote access. The caller has the lock.
bool uses_remote_access(struct link *link, size_t bytes);
// Returns true if a network device of this machine has remote access.
bool has_remote_network(void);

// -- remote.c ----------------------------------------------------------------------------------------------------------

// Put and get any number of bytes. The caller has the lock. `returns`: the operation is a put_nbi or get_nbi.
void put_remotely(struct link *link, int pe, uint64_t name, const void *source, size_t bytes, bool returns);
void get_remotely(struct link *link, void *dest, int pe, uint64_t name, size_t bytes, bool returns);
// Waits until the puts that this PE has started on a link are complete. The caller has the lock.
void await_puts(struct link *link);
// Notes a fence: later puts by remote access start after the operations before it.
void fence_puts(void);
// Begin to complete all puts by remote access; wait until those that have been started are complete. The caller has the
// lock.
void begin_flushes(void);
void end_flushes(void);

// -- keys.c ------------------------------------------------------------------------------------------------------------

// Returns the key to the piece that contains a name, which it asks for at the first time. The caller has the lock.
const struct key *key_for(struct link *link, int pe, uint64_t name);
// Registers the piece of a near PE that contains a name, and sends the key.
void answer_key(ucp_ep_h endpoint, int pe, uint64_t name, uint64_t token);

#endif
