// SPDX-License-Identifier: BSD-3-Clause
// A group of PEs that synchronise: its members, and the symmetric memory through which they do it. Member i is world PE
// start + i * stride. A team has an area of its own whose words only ever grow, so that a fast member's next signal can
// never be taken for a slow one's last; an active set brings a work array that must read zero again afterwards.
#ifndef SKERRY_PRIMITIVE_GROUP_H
#define SKERRY_PRIMITIVE_GROUP_H

#include "wait.h"

// A word on a line of its own.
struct skerry_padded_word {
    skerry_word value;
    uint8_t padding[SKERRY_LINE - sizeof(skerry_word)];
};

// A message that arrives with its sequence number: on a line of its own where the machine has lines. Written by one member
// only. The payload stands first, so that it is aligned for every type.
struct skerry_cell {
    _Alignas(uint64_t) uint8_t payload[SKERRY_CELL_BYTES];
    skerry_word sequence;
};

#define SKERRY_TEAM_MASKS ((SKERRY_TEAMS_MAX + 63) / 64) // words with a bit for each team's number

// The area of a team in each member's memory, at the same offset. `cells` has two halves of as many cells as the job has
// PEs: exchange k uses half k & 1 (see exchange.h).
struct skerry_area {
    struct skerry_padded_word arrived;  // of member 0: members that have arrived, over all barriers
    struct skerry_padded_word released; // of member 0: barriers that are complete
    struct skerry_padded_word fetched;  // members that have read what this one offered, over all offers
    struct skerry_padded_word rounds[SKERRY_ROUNDS_MAX];  // barriers that the round's partner has reached
    struct skerry_cell result[2];                         // of member 0: what the last member to arrive has computed
    struct skerry_padded_word offered;                    // address of what this member offers to be read
    struct skerry_padded_word taken;                      // broadcasts that this member has ended; its own store only
    struct skerry_cell broadcast[SKERRY_BROADCAST_CELLS]; // broadcast k's data in cell k modulo their number
    uint64_t scratch[2 * SKERRY_TEAM_MASKS];              // operands of collectives that the library itself needs
    struct skerry_cell cells[];
    // behind the cells: a word for each member, the number of its last broadcast that has arrived here
};

struct skerry_group {
    int32_t start;
    int32_t stride;
    int32_t size;
    int32_t rank;             // of this PE in the group
    struct skerry_area *area; // this PE's, in its system memory; NULL: the group synchronises through work_array
    long *work_array;         // symmetric, all zero between uses
    bool by_hardware;         // the machine's own barrier serves
    skerry_word barriers;     // begun by this PE
    skerry_word exchanges;
    skerry_word broadcasts;
    skerry_word offers; // reads of this PE's offers that must have happened: the value of `fetched` to wait for
    skerry_word taken[SKERRY_ROUNDS_MAX]; // what this PE knows of others' `taken` (broadcast.c)
    // Where PEs signal over channels: this PE's words of the group's barrier, one a round, and those that it stores to, with a
    // NULL behind the last.
    const skerry_word *rounds;
    skerry_word *partners[SKERRY_PARTNERS_MAX];
};

SKERRY_ALWAYS_INLINE int skerry_member(const struct skerry_group *group, int rank) {
    return group->start + skerry_times(rank, group->stride);
}

// A rank that may have run past the last one, once.
SKERRY_ALWAYS_INLINE int skerry_wrapped(int rank, int size) {
    return rank >= size ? rank - size : rank;
}

// Size of an area in a job of so many PEs.
SKERRY_ALWAYS_INLINE size_t skerry_area_bytes(int pes) {
    size_t per_pe = 2 * sizeof(struct skerry_cell) + sizeof(skerry_word);
    size_t bytes = sizeof(struct skerry_area) + (size_t)(unsigned)pes * per_pe;
    return (bytes + SKERRY_AREA_ALIGNMENT - 1) / SKERRY_AREA_ALIGNMENT * SKERRY_AREA_ALIGNMENT;
}

// Word in this PE's area that says how many broadcasts member `from` has delivered here.
SKERRY_ALWAYS_INLINE skerry_word *skerry_heard_from(const struct skerry_group *group, int from) {
    return (skerry_word *)(void *)&group->area->cells[2 * (size_t)(unsigned)skerry_pe_count()] + from;
}

// Cell that member `from` fills in this PE's memory (or, through skerry_global, in another's) for exchange `sequence`.
SKERRY_ALWAYS_INLINE struct skerry_cell *skerry_cell_of(const struct skerry_group *group, int from,
                                                        skerry_word sequence) {
    return &group->area->cells[(sequence & 1) * (unsigned)skerry_pe_count() + (unsigned)from];
}

#endif
