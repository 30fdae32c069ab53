// SPDX-License-Identifier: BSD-3-Clause
// Implements broadcast by stores. Each sender sends a signal after its data. Two algorithms:
// - Small data goes down a binomial tree. Each sender begins with the receiver whose rank is farthest from its own.
// - Large data is cut into slices, one for each member except the root. The root sends each member its slice. The
//   members then collect the slices from each other, so that all of them send at the same time.
#include "ring.h"

// Returns the PE whose rank is the root's rank plus `relative`, modulo the size of the group.
static int member_behind(const struct skerry_group *group, int root, int relative) {
    return skerry_member(group, skerry_wrapped(relative + root, group->size));
}

// Broadcasts down a binomial tree. Ranks are counted from the root, which has rank 0. Let b be the lowest set bit of r.
// Member r receives the data from member r - b. Member r sends the data to member r + p for each power of two p below
// b. The root sends the data to each member whose rank is a power of two.
static void send_down_tree(const struct skerry_group *group, void *dest, const void *source, size_t bytes, int root,
                           int relative) {
    int reach = 1;
    while (reach < group->size && !(relative & reach)) reach *= 2;
    if (relative) {
        skerry_channel_await(member_behind(group, root, relative - reach));
        source = dest;
    }
    for (int step = reach / 2; step > 0; step /= 2) {
        if (relative + step >= group->size) continue;
        int pe = member_behind(group, root, relative + step);
        skerry_copy(skerry_global(dest, pe), source, bytes);
        skerry_channel_signal(pe);
    }
}

// Broadcasts large data. The root sends one slice to each other member. Those members collect all slices from each
// other. The function is not inlined: the division by the number of members would make small broadcasts slower.
static __attribute__((noinline)) void scatter_and_collect(const struct skerry_group *group, char *dest,
                                                          const char *source, size_t bytes, int root, int relative) {
    struct skerry_ring ring = {group, skerry_wrapped(root + 1, group->size), group->size - 1, relative - 1};
    unsigned others = (unsigned)ring.size;
    size_t slice = ((bytes + others - 1) / others + 7) & ~(size_t)7;
    if (relative) {
        skerry_channel_await(skerry_member(group, root));
        skerry_ring_collect(&ring, dest, slice, bytes);
        return;
    }
    size_t at = 0;
    for (int i = 1; i < group->size; i++, at += slice) {
        size_t left = at >= bytes ? 0 : bytes - at < slice ? bytes - at : slice;
        skerry_channel_send(dest + at, source + at, left, member_behind(group, root, i));
    }
}

void skerry_broadcast_writing(const struct skerry_group *group, void *dest, const void *source, size_t bytes, int root,
                              bool root_too) {
    int relative = group->rank - root;
    if (relative < 0) relative += group->size;
    if (group->size >= SKERRY_SCATTER_MEMBERS && bytes >= SKERRY_SCATTER_BYTES)
        scatter_and_collect(group, dest, source, bytes, root, relative);
    else send_down_tree(group, dest, source, bytes, root, relative);
    if (!relative && root_too && dest != source) skerry_copy(dest, source, bytes);
}
