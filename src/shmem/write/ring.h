// SPDX-License-Identifier: BSD-3-Clause
// Some members of a group in a ring, and the collection of one block of each.
#ifndef SKERRY_SHMEM_WRITE_RING_H
#define SKERRY_SHMEM_WRITE_RING_H

#include "../../primitive/channel.h"
#include "../collective.h"

struct skerry_ring {
    const struct skerry_group *group;
    int first; // rank in the group of the ring's number 0; the others follow, the group's rank 0 behind its last
    int size;
    int number; // of this member
};

// Each member has its block of `bytes` bytes at its place in `dest`, and gets the others'. There are `all` bytes: the last
// blocks may be shorter, or not there.
SKERRY_PRIVATE void skerry_ring_collect(const struct skerry_ring *ring, char *dest, size_t bytes, size_t all);

#endif
