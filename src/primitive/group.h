// SPDX-License-Identifier: BSD-3-Clause
// A group of PEs that synchronise: its members, and the symmetric memory through which they do it. Member i is world PE
// start + i * stride. A team has an area of its own whose words only ever grow, so that a fast member's next signal can
// never be taken for a slow one's last; an active set brings a work array that must read zero again afterwards.
#ifndef SKERRY_PRIMITIVE_GROUP_H
#define SKERRY_PRIMITIVE_GROUP_H

#include "../machine/machine.h"

#define SKERRY_LINE 64
#define SKERRY_ROUNDS_MAX 10 // of a dissemination among 1024 members

// A word on a line of its own.
struct skerry_padded_word {
    uint64_t value;
    uint8_t padding[SKERRY_LINE - sizeof(uint64_t)];
};

// A message of up to 56 bytes that arrives with its sequence number in one line. Written by one member only. The payload
// stands first, so that it is aligned for every type.
#define SKERRY_CELL_BYTES (SKERRY_LINE - sizeof(uint64_t))
struct skerry_cell {
    uint8_t payload[SKERRY_CELL_BYTES];
    uint64_t sequence;
};

#define SKERRY_SCRATCH_WORDS 32
#define SKERRY_BROADCAST_CELLS 8 // a sender looks at its receivers' progress once in so many broadcasts at most

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
    uint64_t scratch[SKERRY_SCRATCH_WORDS];               // operands of collectives that the library itself needs
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
    uint64_t barriers;        // begun by this PE
    uint64_t exchanges;
    uint64_t broadcasts;
    uint64_t offers; // reads of this PE's offers that must have happened: the value of `fetched` to wait for
    uint64_t taken[SKERRY_ROUNDS_MAX]; // what this PE knows of others' `taken` (broadcast.c)
};

SKERRY_HOT int skerry_member(const struct skerry_group *group, int rank) {
    return group->start + rank * group->stride;
}

// Size of an area in a job of so many PEs.
SKERRY_HOT size_t skerry_area_bytes(int pes) {
    size_t per_pe = 2 * sizeof(struct skerry_cell) + sizeof(uint64_t);
    return (sizeof(struct skerry_area) + (size_t)(unsigned)pes * per_pe + SKERRY_LINE - 1) / SKERRY_LINE * SKERRY_LINE;
}

// Word in this PE's area that says how many broadcasts member `from` has delivered here.
SKERRY_HOT uint64_t *skerry_heard_from(const struct skerry_group *group, int from) {
    return (uint64_t *)(void *)&group->area->cells[2 * (size_t)(unsigned)skerry_pe_count()] + from;
}

// Cell that member `from` fills in this PE's memory (or, through skerry_global, in another's) for exchange `sequence`.
SKERRY_HOT struct skerry_cell *skerry_cell_of(const struct skerry_group *group, int from, uint64_t sequence) {
    return &group->area->cells[(sequence & 1) * (unsigned)skerry_pe_count() + (unsigned)from];
}

#define SKERRY_WAIT_UNTIL(condition, owner)                                                                            \
    do {                                                                                                               \
        struct skerry_pause skerry_pausing = SKERRY_PAUSE_INIT;                                                        \
        while (!(condition)) skerry_pause(&skerry_pausing, owner);                                                     \
    } while (0)

SKERRY_HOT uint64_t skerry_word_now(const uint64_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

#endif
