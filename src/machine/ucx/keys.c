// SPDX-License-Identifier: BSD-3-Clause
// Manages the keys for remote access (puts and gets by the network hardware, remote.h). The memory of a PE is divided
// into pieces. Before a PE can access a piece by remote access, it requests the piece's key from a port (a PE that
// receives messages) of the target's node. At the first request for a piece, the port registers the piece, once for all
// PEs.
//
// Registration pins the memory and allocates its pages. The pieces are small. So memory that no PE of another node uses
// is not pinned.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// -- Tables: open addressing -------------------------------------------------------------------------------------------

struct slot {
    uint64_t number; // 0: free
    void *what;
};

static struct slot *slot_of(const struct table *table, uint64_t number) {
    size_t at = (number * UINT64_C(0x9E3779B97F4A7C15)) >> 20;
    while (table->slots[at &= table->size - 1].number != 0 && table->slots[at].number != number) at++;
    return &table->slots[at];
}

static void *find(const struct table *table, uint64_t number) {
    return table->size == 0 ? NULL : slot_of(table, number)->what;
}

static void grow(struct table *table) {
    const struct table before = *table;
    table->size = before.size ? 2 * before.size : 16;
    table->slots = calloc(table->size, sizeof *table->slots);
    if (!table->slots) network.host->fail("network (UCX): no memory for keys");
    for (size_t i = 0; i < before.size; i++)
        if (before.slots[i].number) *slot_of(table, before.slots[i].number) = before.slots[i];
    free(before.slots);
}

static void add(struct table *table, uint64_t number, void *what) {
    if (2 * table->used >= table->size) grow(table);
    table->used++;
    *slot_of(table, number) = (struct slot){number, what};
}

static uint64_t number_of(int pe, uint64_t name) {
    return (uint64_t)(pe + 1) << 40 | name >> PIECE_SHIFT; // a name has 64 bits, so name >> PIECE_SHIFT has at most 40
}

static void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory) network.host->fail("network (UCX): no memory for keys");
    return memory;
}

// -- The port ----------------------------------------------------------------------------------------------------------

#define PACKED_BYTES_MAX 2048 // a longer key is not sent; UCX's keys have some tens of bytes for each device

// The answer to a request for the key to a piece of memory. The answer is empty if the piece cannot be registered.
struct answer {
    uint64_t first, end, address;
    char packed[PACKED_BYTES_MAX];
};

struct piece {
    struct answer *answer; // NULL: cannot be registered
    size_t bytes;          // of the answer
};

static struct table pieces; // of struct piece, by PE and number of the piece; protected by network.lock

// Tells all PEs of this node, by the flag written_remotely, that remote puts can change their memory without waking
// them. Why each PE learns of the flag:
// * A PE that sleeps is woken and then reads the flag.
// * A PE that is about to sleep announces its sleep, executes a full fence, and then reads the flag
//   (linux/eventcount.h). If it announces its sleep before host->wake looks for sleepers, it is woken. If it announces
//   its sleep later, it reads the flag after the flag was set.
static void tell_written_remotely(void) {
    struct skerry_node *here = &skerry_nodes(network.host->wire_up)[network.host->node];
    if (__atomic_exchange_n(&here->written_remotely, 1, __ATOMIC_SEQ_CST)) return;
    for (int i = 0; i < here->count; i++) network.host->wake(here->first + i);
}

static void pack(struct piece *piece, ucp_mem_h memory, const struct answer *bounds) {
    void *packed;
    size_t bytes;
    check_status("ucp_rkey_pack", ucp_rkey_pack(network.context, memory, &packed, &bytes));
    if (bytes <= PACKED_BYTES_MAX) {
        piece->bytes = offsetof(struct answer, packed) + bytes;
        piece->answer = allocate(piece->bytes);
        memcpy(piece->answer, bounds, offsetof(struct answer, packed));
        memcpy(piece->answer->packed, packed, bytes);
    }
    ucp_rkey_buffer_release(packed);
}

static struct piece *new_piece(int pe, uint64_t name) {
    struct piece *piece = allocate(sizeof *piece);
    struct answer bounds;
    // bounds() fails if the name is in the library's own memory, which cannot be registered.
    if (!network.host->bounds(name, &bounds.first, &bounds.end)) return piece;
    if (bounds.first < (name & ~PIECE_MASK)) bounds.first = name & ~PIECE_MASK;
    if (bounds.end > (name | PIECE_MASK) + 1) bounds.end = (name | PIECE_MASK) + 1;
    void *address = network.host->place(pe, bounds.first);
    bounds.address = (uintptr_t)address;
    const ucp_mem_map_params_t params = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
                                         .address = address,
                                         .length = bounds.end - bounds.first};
    ucp_mem_h memory;
    if (ucp_mem_map(network.context, &params, &memory) == UCS_OK) pack(piece, memory, &bounds);
    return piece;
}

void answer_key(ucp_ep_h endpoint, int pe, uint64_t name, uint64_t token) {
    const uint64_t number = number_of(pe, name);
    struct piece *piece = find(&pieces, number);
    if (!piece) {
        piece = new_piece(pe, name);
        add(&pieces, number, piece);
    }
    if (piece->answer) tell_written_remotely();
    reply_to(endpoint, token, piece->answer, piece->bytes);
}

// -- The PE that asks --------------------------------------------------------------------------------------------------

static struct key *ask_for_key(struct link *link, int pe, uint64_t name) {
    struct answer answer;
    struct pending pending = {.link = link, .dest = &answer};
    const struct record record = record_for(link, pe, name, 0, RECORD_KEY);
    const struct operands operands = {.token = (uintptr_t)&pending};
    append_operands(link, &record, &operands);
    send_batch(link);
    while (!pending.done) step();
    struct key *key = allocate(sizeof *key);
    if (pending.bytes == 0) return key;
    *key = (struct key){.first = answer.first, .end = answer.end, .address = answer.address};
    check_status("ucp_ep_rkey_unpack", ucp_ep_rkey_unpack(link->endpoint, answer.packed, &key->handle));
    return key;
}

const struct key *key_for(struct link *link, int pe, uint64_t name) {
    struct table *keys = &link->remote->keys;
    const uint64_t number = number_of(pe, name);
    struct key *key = find(keys, number);
    if (key) return key;
    key = ask_for_key(link, pe, name);
    struct key *other = find(keys, number); // another thread has possibly requested the same key at the same time
    if (!other) {
        add(keys, number, key);
        return key;
    }
    if (key->handle) ucp_rkey_destroy(key->handle);
    free(key);
    return other;
}
