// SPDX-License-Identifier: BSD-3-Clause
// Broadcast by stores. Down a binomial tree, farthest distance first; large data in chunks along a chain of the members, in
// which all of them send at once. Every member has one sender, whose signal comes behind the data.
#include "../../primitive/channel.h"
#include "../collective.h"

// The member so many ranks behind the root.
static int member_behind(const struct skerry_group *group, int root, int relative) {
    return skerry_member(group, skerry_wrapped(relative + root, group->size));
}

static void send_down_tree(const struct skerry_group *group, void *dest, const void *source, size_t bytes, int root,
                           int relative) {
    int reach =
        1; // relative rank r gets the data from r without its lowest set bit, and passes it to those up to there
    while (reach < group->size && !(relative & reach)) reach *= 2;
    if (relative) skerry_channel_await(member_behind(group, root, relative - reach));
    for (int step = reach / 2; step > 0; step /= 2)
        if (relative + step < group->size)
            skerry_channel_send(dest, relative ? dest : source, bytes, member_behind(group, root, relative + step));
}

static void send_along_chain(const struct skerry_group *group, char *dest, const char *source, size_t bytes, int root,
                             int relative) {
    int before = relative ? member_behind(group, root, relative - 1) : -1;
    int next = relative + 1 < group->size ? member_behind(group, root, relative + 1) : -1;
    const char *from = relative ? dest : source;
    for (size_t at = 0; at < bytes; at += SKERRY_CHAIN_CHUNK_BYTES) {
        size_t left = bytes - at < SKERRY_CHAIN_CHUNK_BYTES ? bytes - at : SKERRY_CHAIN_CHUNK_BYTES;
        if (before >= 0) skerry_channel_await(before);
        if (next >= 0) skerry_channel_send(dest + at, from + at, left, next);
    }
}

void skerry_broadcast_writing(const struct skerry_group *group, void *dest, const void *source, size_t bytes, int root,
                              bool root_too) {
    int relative = group->rank - root;
    if (relative < 0) relative += group->size;
    if (bytes >= SKERRY_CHAIN_BYTES && group->size > 2) send_along_chain(group, dest, source, bytes, root, relative);
    else send_down_tree(group, dest, source, bytes, root, relative);
    if (!relative && root_too && dest != source) skerry_copy(dest, source, bytes);
}
