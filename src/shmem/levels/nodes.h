// SPDX-License-Identifier: BSD-3-Clause
// Declares what the collectives in two levels share: collectives among nodes, which one member of each node executes
// (../../primitive/levels.h). The caller has counted the exchange: the functions use exchange number
// group->levels->exchanges.
#ifndef SKERRY_SHMEM_LEVELS_NODES_H
#define SKERRY_SHMEM_LEVELS_NODES_H

#include "../../primitive/levels.h"
#include "../collective.h"

// Returns true if skerry_nodes_reduce can combine values of `bytes` bytes.
SKERRY_PRIVATE bool skerry_nodes_can_reduce(const struct skerry_group *group, size_t bytes);
// Combines the arrays at `value` of all nodes, and stores the result in their place. The result is the same in every bit
// on all nodes. `value` is memory that this PE can load from and store to.
SKERRY_PRIVATE void skerry_nodes_reduce(struct skerry_group *group, void *value, size_t count, size_t size,
                                        skerry_combine combine);

// Returns the most bytes that skerry_nodes_scan can combine at a time, a multiple of SKERRY_LINE.
SKERRY_PRIVATE size_t skerry_nodes_scan_bytes(const struct skerry_group *group);
// Returns the two arrays, in the memory of this node's leader, that a scan of nodes with exchange number `exchange` uses.
// The caller stores the sum of the node's own elements in `own`. The scan stores in `before` the sum of the elements of
// all nodes before this node. It stores nothing there on node 0.
struct skerry_nodes_scan {
    void *own, *before;
};
SKERRY_PRIVATE struct skerry_nodes_scan skerry_nodes_scan_memory(struct skerry_group *group, skerry_word exchange);
SKERRY_PRIVATE void skerry_nodes_scan(struct skerry_group *group, size_t count, size_t size, skerry_combine combine);

// Counted exchanges: each node waits for a given number of signals. Every member calls skerry_nodes_count with the number
// of signals that its node will get, before it signals. skerry_nodes_signal sends one signal to a node; the receiver of
// the signal then sees everything that this PE has put to PEs of that node. skerry_nodes_await_count waits until all
// signals have arrived.
SKERRY_PRIVATE void skerry_nodes_count(struct skerry_group *group, skerry_word signals);
SKERRY_PRIVATE void skerry_nodes_signal(struct skerry_group *group, int node);
SKERRY_PRIVATE void skerry_nodes_await_count(void *group);

// Copies between symmetric objects at near PEs: from `source` to `dest`, unless they are the same address.
static inline void skerry_copy_unless_same(void *dest, const void *source, size_t bytes) {
    if (dest != source) skerry_copy(dest, source, bytes);
}

#endif
