// SPDX-License-Identifier: BSD-3-Clause
// Exchanges small messages between the members of a group. In an exchange no member finishes before it has received,
// directly or through other members, a message from every member. A cell is memory for one message and its sequence
// number (group.h). Message and number lie on one cache line, so a message costs the transfer of one line.
//
// Why two sets of cells, used alternately, are enough (the two halves of `cells` in struct skerry_area):
// 1. A member that begins exchange k + 2 has finished exchange k + 1. So every member has begun exchange k + 1.
// 2. Before a member began exchange k + 1, it had read all its cells of exchange k.
// 3. Therefore exchange k + 2 can use the cells of exchange k again.
#ifndef SKERRY_PRIMITIVE_EXCHANGE_H
#define SKERRY_PRIMITIVE_EXCHANGE_H

#include "group.h"

// Sends a message of `bytes` bytes to member `to` in exchange `sequence`.
SKERRY_ALWAYS_INLINE void skerry_cell_send(const struct skerry_group *group, int to, skerry_word sequence,
                                           const void *payload, size_t bytes) {
    int pe = skerry_member(group, to);
    struct skerry_cell *cell = skerry_cell_of(group, group->rank, sequence);
    skerry_copy(skerry_global(cell->payload, pe), payload, bytes);
    skerry_store_release(&cell->sequence, sequence, pe);
}

// Waits for the message of member `from` in exchange `sequence`. Returns the address of the message, which lies in this
// PE's area (struct skerry_area in group.h).
SKERRY_ALWAYS_INLINE const void *skerry_cell_receive(const struct skerry_group *group, int from, skerry_word sequence) {
    const struct skerry_cell *cell = skerry_cell_of(group, from, sequence);
    SKERRY_WAIT_UNTIL(skerry_reached(&cell->sequence, sequence), skerry_my_pe());
    return cell->payload;
}

#endif
