// SPDX-License-Identifier: BSD-3-Clause
// Collect and fcollect by stores.
#include "work.h"

// Equal blocks, in log2(n) rounds: when a round of distance d begins, each member has the blocks of the d ranks up to its own
// (in the ring of ranks), and stores them all at the member d ranks on. Blocks have their final places from the start.
void skerry_fcollect_writing(const struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    int size = group->size;
    int rank = group->rank;
    char *mine = dest + (size_t)(unsigned)rank * bytes;
    if (mine != source) skerry_copy(mine, source, bytes);
    for (int distance = 1; distance < size; distance *= 2) {
        int blocks = 2 * distance <= size ? distance : size - distance; // the last round has only the rest to send
        int to = skerry_member(group, skerry_wrapped(rank + distance, size));
        int first = rank - blocks + 1;
        if (first < 0) { // they go round the end of the result
            char *end = dest + (size_t)(unsigned)(first + size) * bytes;
            skerry_copy(skerry_global(end, to), end, (size_t)(unsigned)-first * bytes);
            first = 0;
        }
        char *begin = dest + (size_t)(unsigned)first * bytes;
        skerry_channel_send(begin, begin, (size_t)(unsigned)(rank - first + 1) * bytes, to);
        skerry_channel_await(skerry_member(group, skerry_wrapped(rank - distance + size, size)));
    }
}

// Blocks of different sizes: each member tells the others its size, and stores its block behind those before it. A member
// tells the next size when it has all blocks of this collect, hence after every member has sent its last one, for which it
// had read the sizes.
void skerry_collect_writing(const struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    int size = group->size;
    uint32_t *told = &skerry_block_sizes[skerry_my_pe()];
    *told = (uint32_t)bytes;
    for (int i = 1; i < size; i++) {
        int to = skerry_member(group, skerry_wrapped(group->rank + i, size));
        *(volatile uint32_t *)skerry_global(told, to) = (uint32_t)bytes;
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
