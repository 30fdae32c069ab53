// SPDX-License-Identifier: BSD-3-Clause
// Describes a ring: members of a group with consecutive ranks, of which the last member is followed by the first.
// Declares a routine that collects one block from each member of a ring.
#ifndef SKERRY_SHMEM_WRITE_RING_H
#define SKERRY_SHMEM_WRITE_RING_H

#include "../../primitive/channel.h"
#include "../collective.h"

struct skerry_ring {
    const struct skerry_group *group;
    int first; // rank in the group of the ring's member 0; the next members have the next ranks, modulo group->size
    int size;
    int number; // this member's number in the ring
};

// Collects the blocks of all members of the ring in `dest` of each member. On entry each member has its own block at
// its final place, `dest` + number * bytes. The result has `all` bytes, so the last blocks can be shorter than `bytes`
// or empty.
SKERRY_PRIVATE void skerry_ring_collect(const struct skerry_ring *ring, char *dest, size_t bytes, size_t all);

#endif
