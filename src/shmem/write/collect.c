// SPDX-License-Identifier: BSD-3-Clause
// Implements collect and fcollect by stores: every member stores its block directly at its final place in each member's
// result.
#include "ring.h"
#include "work.h"

static int member_of(const struct skerry_ring *ring, int number) {
    return skerry_member(ring->group,
                         skerry_wrapped(ring->first + skerry_wrapped(number, ring->size), ring->group->size));
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

// Collects in log2(n) rounds. When the round of distance d begins, each member has d blocks: its own block, and the
// blocks of the d - 1 members before it in the ring. The member stores all d blocks in the memory of the member whose
// number is higher by d. Every block is stored at its final place.
void skerry_ring_collect(const struct skerry_ring *ring, char *dest, size_t bytes, size_t all) {
    int size = ring->size;
    int number = ring->number;
    size_t end = smaller((size_t)(unsigned)(number + 1) * bytes, all);
    for (int distance = 1; distance < size; distance *= 2) {
        int blocks = 2 * distance <= size ? distance : size - distance; // the last round sends only the missing blocks
        int to = member_of(ring, number + distance);
        int first = number - blocks + 1;
        if (first < 0) { // the blocks wrap round at the end of the result
            size_t begin = smaller((size_t)(unsigned)(first + size) * bytes, all);
            size_t rest = smaller(begin + (size_t)(unsigned)-first * bytes, all) - begin;
            skerry_copy(skerry_global(dest + begin, to), dest + begin, rest);
            first = 0;
        }
        size_t begin = smaller((size_t)(unsigned)first * bytes, all);
        skerry_channel_send(dest + begin, dest + begin, end - begin, to);
        skerry_channel_await(member_of(ring, number - distance + size));
    }
}

void skerry_fcollect_writing(const struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    struct skerry_ring ring = {group, 0, group->size, group->rank};
    char *mine = dest + (size_t)(unsigned)group->rank * bytes;
    if (mine != source) skerry_copy(mine, source, bytes);
    skerry_ring_collect(&ring, dest, bytes, (size_t)(unsigned)group->size * bytes);
}

// Collects blocks of different sizes. Each member stores the size of its block in every other member's memory. Then it
// stores its block behind the blocks of the lower ranks. Why the next collect can overwrite the size words without a
// further signal:
// 1. The writer of a size word begins the next collect after it has received all blocks of this collect.
// 2. A member sends its blocks after it has read all the sizes that it needs.
// 3. So every member has read the old sizes before any member stores a new size.
void skerry_collect_writing(const struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    int size = group->size;
    uint32_t *size_word = &skerry_block_sizes[skerry_my_pe()];
    *size_word = (uint32_t)bytes;
    for (int i = 1; i < size; i++) {
        int to = skerry_member(group, skerry_wrapped(group->rank + i, size));
        *(volatile uint32_t *)skerry_global(size_word, to) = (uint32_t)bytes;
        skerry_channel_signal(to);
    }
    char *mine = dest;
    for (int i = 0; i < size; i++) {
        int from = skerry_member(group, i);
        if (i != group->rank) skerry_channel_await(from);
        if (i < group->rank) mine += skerry_block_sizes[from];
    }
    for (int i = 1; i < size; i++)
        skerry_channel_send(mine, source, bytes, skerry_member(group, skerry_wrapped(group->rank + i, size)));
    if (mine != source) skerry_copy(mine, source, bytes);
    for (int i = 1; i < size; i++) skerry_channel_await(skerry_member(group, skerry_wrapped(group->rank + i, size)));
}
