// SPDX-License-Identifier: BSD-3-Clause
// Implements broadcasts of groups with members on several nodes. The first member on a node is its leader. The root
// sends the data to the leaders of some other nodes, and these leaders forward it to leaders of further nodes. Each
// leader broadcasts the data on its node, so each node receives the data only once. If a chain of nodes is faster than
// a binomial tree, large data goes down a chain in segments: each node forwards a segment while it receives the next
// one.
//
// Each leader has CELLS cells (memory for a message and a sequence number) for broadcasts, where CELLS is
// SKERRY_NODE_BROADCAST_CELLS. test/model/node_broadcast.pml checks this protocol:
// - Broadcast k uses cell k % CELLS. Only one PE of another node writes this cell during broadcast k: the root, or the
//   leader of the parent node in the tree or chain.
// - The cell's sequence number is k << SEGMENT_BITS, plus the number of segments that have arrived.
// - Data that fits into the cell is in the cell. Larger data is stored directly at its final place.
// - Broadcasts by different roots can overtake each other, but two broadcasts never use one cell at the same time
//   (free_cells).
#include "nodes.h"

// Size of a segment of the data. It was the fastest size for broadcasts of 1 MB over TCP, measured between 2 and 4
// nodes on one machine. A network pipelines one long message better than many short ones.
#define SEGMENT_BYTES ((size_t)1 << 20)

// Bits of a sequence number that count segments. 16 bits are enough for 64 GB, more than a machine with words of 32 bits
// can address.
#define SEGMENT_BITS (4 * sizeof(skerry_word))

static struct skerry_cell *cell_of(const struct skerry_group *group) {
    return &skerry_node_area_of(group)->broadcast[group->broadcasts % SKERRY_NODE_BROADCAST_CELLS];
}

static size_t segments_of(size_t bytes) {
    return bytes <= SEGMENT_BYTES ? 1 : (bytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES;
}

// Returns true if a chain of n = `nodes` nodes is faster than a binomial tree. A chain takes about segments + n - 2
// steps, and a binomial tree takes segments * log2(n) steps. A step is the transfer of one segment.
static bool by_chain(size_t segments, int nodes) {
    size_t rounds = 0;
    while (1 << rounds < nodes) rounds++;
    return segments + (unsigned)nodes - 2 < segments * rounds;
}

// Sends one segment of the data to the leader (first member) of the node that follows the root's node at distance
// `relative`. `first` is the offset of the segment's first byte in the whole data.
static void send_segment(struct skerry_group *group, char *dest, const char *data, size_t bytes, size_t first,
                         int root_node, int relative) {
    const int to = skerry_leader_pe(group, skerry_wrapped(root_node + relative, group->levels->nodes));
    const size_t rest = bytes - first, length = rest < SEGMENT_BYTES ? rest : SEGMENT_BYTES;
    struct skerry_cell *cell = cell_of(group);
    const skerry_word sequence = (group->broadcasts << SEGMENT_BITS) + first / SEGMENT_BYTES + 1;
    void *place = bytes <= SKERRY_CELL_BYTES ? (void *)cell->payload : dest + first;
    skerry_put_and_signal(place, data + first, length, &cell->sequence, sequence, false, to);
}

// Sends one segment from this node's leader (first member) to the child nodes of this node. Nodes are counted from the
// root's node, which is node 0. The children of node r:
// - In a chain: node r + 1.
// - In a binomial tree: node r + p for each power of two p below the lowest set bit of r. The child with the highest
//   number comes first.
static void forward(struct skerry_group *group, char *dest, const char *data, size_t bytes, size_t first,
                    int root_node) {
    const int nodes = group->levels->nodes;
    const int relative = skerry_wrapped(group->levels->index - root_node + nodes, nodes);
    if (by_chain(segments_of(bytes), nodes)) {
        if (relative + 1 < nodes) send_segment(group, dest, data, bytes, first, root_node, relative + 1);
        return;
    }
    int reach = 1;
    while (reach < nodes && !(relative & reach)) reach *= 2;
    for (int step = reach / 2; step > 0; step /= 2)
        if (relative + step < nodes) send_segment(group, dest, data, bytes, first, root_node, relative + step);
}

// Receives the data at the leader (first member) of a node, and forwards the data to the leaders of the child nodes.
static void receive(struct skerry_group *group, char *dest, size_t bytes, int root_node) {
    const struct skerry_cell *cell = cell_of(group);
    for (size_t segment = 0; segment < segments_of(bytes); segment++) {
        const skerry_word sequence = (group->broadcasts << SEGMENT_BITS) + segment + 1;
        SKERRY_WAIT_UNTIL(skerry_reached(&cell->sequence, sequence), skerry_my_pe());
        if (bytes <= SKERRY_CELL_BYTES) skerry_copy(dest, cell->payload, bytes);
        forward(group, dest, dest, bytes, segment * SEGMENT_BYTES, root_node);
    }
}

// Broadcasts in an active set, which has no cells (memory for messages). The root puts the data to the leader (first
// member) of every node, and a barrier follows. Then the other members copy the data: from the root on the root's node,
// else from the leader of their node.
static void broadcast_on_work_array(struct skerry_group *group, void *dest, const void *source, size_t bytes,
                                    int root) {
    const struct skerry_levels *levels = group->levels;
    const int root_node = skerry_node_index_of(group, root);
    if (group->rank == root) {
        for (int i = 1; i < levels->nodes; i++)
            skerry_copy_to(dest, source, bytes, skerry_leader_pe(group, skerry_wrapped(root_node + i, levels->nodes)));
    }
    skerry_barrier(group);
    const bool on_root_node = levels->index == root_node;
    const void *from =
        on_root_node ? skerry_global(source, skerry_member(group, root)) : skerry_global(dest, levels->node.start);
    if (group->rank != root && (on_root_node || levels->node.rank > 0)) skerry_copy(dest, from, bytes);
    skerry_barrier(&group->levels->node); // after the barrier the root and the leader can change their arrays
}

// Frees all cells (memory for messages at the first member of each node, its leader). The members call this function
// before each broadcast k with k % SKERRY_NODE_BROADCAST_CELLS == 0.
// - The barrier makes the next use of a cell begin after every leader has ended the broadcast that used it before.
// - Each leader stores k - 1 in all its cells, so that no cell keeps a very old number. After the numbers wrap round, a
//   very old number would compare as larger than a new number.
static void free_cells(struct skerry_group *group) {
    struct skerry_cell *cells = skerry_node_area_of(group)->broadcast;
    if (group->levels->node.rank == 0)
        for (int i = 0; i < SKERRY_NODE_BROADCAST_CELLS; i++)
            cells[i].sequence = (group->broadcasts - 1) << SEGMENT_BITS;
    skerry_barrier(group);
}

static void broadcast_in_cells(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    struct skerry_levels *levels = group->levels;
    const int root_node = skerry_node_index_of(group, root);
    if (group->broadcasts % SKERRY_NODE_BROADCAST_CELLS == 0) free_cells(group);
    if (levels->index == root_node) {
        for (size_t first = 0; group->rank == root && (first == 0 || first < bytes); first += SEGMENT_BYTES)
            forward(group, dest, source, bytes, first, root_node);
        skerry_broadcast(&levels->node, dest, source, bytes, root - levels->leader, false);
        return;
    }
    if (levels->node.rank == 0) receive(group, dest, bytes, root_node);
    skerry_broadcast(&levels->node, dest, dest, bytes, 0, false);
}

void skerry_broadcast_levels(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root,
                             bool root_too) {
    if (group->area) broadcast_in_cells(group, dest, source, bytes, root);
    else broadcast_on_work_array(group, dest, source, bytes, root);
    if (root_too && group->rank == root) skerry_copy_unless_same(dest, source, bytes);
}
