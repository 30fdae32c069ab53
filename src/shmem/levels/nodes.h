// SPDX-License-Identifier: BSD-3-Clause
// Declares collectives among nodes. One member of each node calls these functions, as a part of the collectives of
// groups with members on several nodes (../../primitive/levels.h). In an exchange between nodes each node sends and
// receives messages. The number of the exchange is group->levels->exchanges, which the caller must have increased
// before the call.
#ifndef SKERRY_SHMEM_LEVELS_NODES_H
#define SKERRY_SHMEM_LEVELS_NODES_H

#include "../../primitive/levels.h"
#include "../collective.h"

// Returns true if skerry_nodes_reduce can combine values of `bytes` bytes.
SKERRY_PRIVATE bool skerry_nodes_can_reduce(const struct skerry_group *group, size_t bytes);
// Combines the arrays at `value` of all nodes, and stores the result at `value` on every node. The result has the same
// bits on all nodes. `value` is memory that this PE can load from and store to.
SKERRY_PRIVATE void skerry_nodes_reduce(struct skerry_group *group, void *value, size_t count, size_t size,
                                        skerry_combine combine);

// Returns the largest number of bytes that one call of skerry_nodes_scan can combine, a multiple of SKERRY_LINE.
SKERRY_PRIVATE size_t skerry_nodes_scan_bytes(const struct skerry_group *group);
// Returns the two arrays that the scan with exchange number `exchange` uses. The arrays are in the memory of this
// node's leader (the first member on the node). Before the scan the caller stores the sum of the node's own elements in
// `own`. The scan stores in `before` the sum of the elements of all nodes before this node; on node 0 it does not write
// `before`.
struct skerry_nodes_scan {
    void *own, *before;
};
SKERRY_PRIVATE struct skerry_nodes_scan skerry_nodes_scan_memory(struct skerry_group *group, skerry_word exchange);
SKERRY_PRIVATE void skerry_nodes_scan(struct skerry_group *group, size_t count, size_t size, skerry_combine combine);

// In a counted exchange each node waits for a given number of signals:
// - skerry_nodes_count: every member of a node calls it with the number of signals that its node will get. A member
//   sends no signal before this call.
// - skerry_nodes_signal sends one signal to a node. A PE that has received the signal also sees everything that the
//   sender has put to PEs of that node.
// - skerry_nodes_await_count waits until all signals of the exchange have arrived.
SKERRY_PRIVATE void skerry_nodes_count(struct skerry_group *group, skerry_word signals);
SKERRY_PRIVATE void skerry_nodes_signal(struct skerry_group *group, int node);
SKERRY_PRIVATE void skerry_nodes_await_count(void *group);

// Copies `bytes` bytes from `source` to `dest` if the two addresses differ. This PE must be able to load from and store
// to both.
static inline void skerry_copy_unless_same(void *dest, const void *source, size_t bytes) {
    if (dest != source) skerry_copy(dest, source, bytes);
}

#endif
