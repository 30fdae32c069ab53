// SPDX-License-Identifier: BSD-3-Clause
// Describes a group of PEs: its members, and the symmetric memory through which they synchronise. Member i is PE start
// + i * stride of the world.
// - A team has an area of its own (struct skerry_area). The values of its words only grow. A slow member still waits
//   for one value when a fast member stores the next. The next value is larger, so the slow member cannot confuse the
//   two.
// - An active set uses the pSync array that the program passes. The collective must leave this array zero.
#ifndef SKERRY_PRIMITIVE_GROUP_H
#define SKERRY_PRIMITIVE_GROUP_H

#include "../config/config.h"
#include "wait.h"

// A word on a cache line of its own.
struct skerry_padded_word {
    skerry_word value;
    uint8_t padding[SKERRY_LINE - sizeof(skerry_word)];
};

// A cell: memory for a message and its sequence number, on a cache line of its own if the machine has caches. Only one
// member writes a cell. The payload is the first field, because the start of a cell is aligned for every type.
struct skerry_cell {
    _Alignas(uint64_t) uint8_t payload[SKERRY_CELL_BYTES];
    skerry_word sequence;
};

#define SKERRY_TEAM_MASKS ((SKERRY_TEAMS_MAX + 63) / 64) // words that hold one bit for each team

// The area of a team: the words and cells (memory for one message) through which its members synchronise. Each member
// has one area in its own memory, at the same offset. `cells` has two halves, each with one cell for each PE of a node.
// Exchange k uses half k & 1 (exchange.h).
struct skerry_area {
    struct skerry_padded_word arrived;  // member 0 only: number of arrivals of members at all barriers so far
    struct skerry_padded_word released; // member 0 only: number of barriers that are complete
    struct skerry_padded_word fetched;  // number of copies that other members have made of data at `offered`
    struct skerry_padded_word rounds[SKERRY_ROUNDS_MAX]; // [r]: number of barriers that the partner of round r reached
    struct skerry_cell result[2];                        // member 0 only: result of a reduction (reduce.c)
    struct skerry_padded_word offered;                   // address of data that other members can copy (broadcast.c)
    struct skerry_padded_word taken; // number of broadcasts that this member has ended; only it writes here
    struct skerry_cell broadcast[SKERRY_BROADCAST_CELLS]; // data of broadcast k is in cell k % SKERRY_BROADCAST_CELLS
    uint64_t scratch[2 * SKERRY_TEAM_MASKS];              // operands of collectives that the library itself calls
    struct skerry_cell cells[];
    // After the cells the area has one word for each PE of a node. The word of a PE holds the number of the last
    // broadcast that has arrived in this area from that PE. In a job of several nodes, a struct skerry_node_area
    // follows (levels.h).
};

struct skerry_levels;

struct skerry_group {
    int32_t start;
    int32_t stride;
    int32_t size;
    int32_t rank;             // rank of this PE in the group
    struct skerry_area *area; // this PE's area, in its system memory; NULL: the group synchronises through work_array
    long *work_array;         // symmetric array, all zero between uses
#if SKERRY_FAR_PES
    struct skerry_levels *levels; // NULL if all members are on the node of this PE, else see levels.h
#endif
    bool by_hardware;       // true if the machine's own barrier can be used
    skerry_word barriers;   // number of barriers that this PE has begun
    skerry_word exchanges;  // number of exchanges that this PE has begun
    skerry_word broadcasts; // number of broadcasts that this PE has begun
    skerry_word offers;     // value of the area's `fetched` when all copies of this PE's offered data are made
    skerry_word taken[SKERRY_ROUNDS_MAX]; // last known values of other members' `taken`; index: see broadcast.c
    // Only with SKERRY_CHANNELS: this PE's words of the group's barrier, one for each round. `partners` has the
    // addresses of the words to which this PE stores, and a NULL after the last address.
    const skerry_word *rounds;
    skerry_word *partners[SKERRY_PARTNERS_MAX];
};

SKERRY_ALWAYS_INLINE int skerry_member(const struct skerry_group *group, int rank) {
    return group->start + skerry_times(rank, group->stride);
}

// SKERRY_LEVELS(group): the two levels (nodes, and the members of each node) of a group on several nodes; see levels.h.
// NULL if this PE can load from and store to the memory of every member. On machines of one node it is the constant 0,
// so the compiler removes the code for several nodes.
#if SKERRY_FAR_PES
#define SKERRY_LEVELS(group) ((group)->levels)
#else
#define SKERRY_LEVELS(group) 0
#endif

// Adds to a word of a work array (pSync), whose elements have the type long.
SKERRY_ALWAYS_INLINE void skerry_work_word_add(long *word, long value, int pe) {
    if (sizeof(long) == 8) skerry_atomic_add_64(word, (uint64_t)value, pe);
    else skerry_atomic_add_32(word, (uint32_t)value, pe);
}

// Returns a rank modulo `size`, the size of the group. The rank must be below 2 * size.
SKERRY_ALWAYS_INLINE int skerry_wrapped(int rank, int size) {
    return rank >= size ? rank - size : rank;
}

// Returns the size in bytes of a team's area (struct skerry_area) without the part for other nodes (levels.h).
SKERRY_ALWAYS_INLINE size_t skerry_area_bytes(void) {
    size_t per_pe = 2 * sizeof(struct skerry_cell) + sizeof(skerry_word);
    size_t bytes = sizeof(struct skerry_area) + (size_t)(unsigned)skerry_pe_count() * per_pe;
    return (bytes + SKERRY_AREA_ALIGNMENT - 1) / SKERRY_AREA_ALIGNMENT * SKERRY_AREA_ALIGNMENT;
}

// Returns a word in this PE's area: the number of the last broadcast that member `from` has delivered to this PE.
SKERRY_ALWAYS_INLINE skerry_word *skerry_heard_from(const struct skerry_group *group, int from) {
    return (skerry_word *)(void *)&group->area->cells[2 * (size_t)(unsigned)skerry_pe_count()] + from;
}

// Returns the cell (memory for one message) in this PE's area that member `from` fills for exchange `sequence`.
// skerry_global(address, pe) gives the corresponding cell of PE `pe`.
SKERRY_ALWAYS_INLINE struct skerry_cell *skerry_cell_of(const struct skerry_group *group, int from,
                                                        skerry_word sequence) {
    return &group->area->cells[(sequence & 1) * (unsigned)skerry_pe_count() + (unsigned)from];
}

#endif
