// SPDX-License-Identifier: BSD-3-Clause
// Implements the all-to-all exchange by stores. Every member stores each block directly at its final place. Each member
// begins with the member of the next rank, so that no two members begin with the same target. After each block the
// sender sends a signal to the receiver.
#include "../../primitive/channel.h"
#include "../collective.h"

static void await_all(const struct skerry_group *group) {
    for (int i = group->size - 1; i > 0; i--)
        skerry_channel_await(skerry_member(group, skerry_wrapped(group->rank + i, group->size)));
}

void skerry_alltoall_writing(const struct skerry_group *group, char *dest, const char *source, size_t bytes) {
    char *mine = dest + (size_t)(unsigned)group->rank * bytes;
    for (int i = 1; i < group->size; i++) {
        int to = skerry_wrapped(group->rank + i, group->size);
        skerry_channel_send(mine, source + (size_t)(unsigned)to * bytes, bytes, skerry_member(group, to));
    }
    skerry_copy(mine, source + (size_t)(unsigned)group->rank * bytes, bytes);
    await_all(group);
}

void skerry_alltoalls_writing(const struct skerry_group *group, char *dest, const char *source, ptrdiff_t dest_stride,
                              ptrdiff_t source_stride, size_t size, size_t count) {
    ptrdiff_t dest_step = dest_stride * (ptrdiff_t)size;
    ptrdiff_t source_step = source_stride * (ptrdiff_t)size;
    char *mine = dest + (ptrdiff_t)count * group->rank * dest_step;
    for (int i = 1; i <= group->size; i++) {
        int to = skerry_wrapped(group->rank + i, group->size);
        int pe = skerry_member(group, to);
        skerry_put_strided(mine, source + (ptrdiff_t)count * to * source_step, dest_step, source_step, size, count, pe);
        if (i < group->size) skerry_channel_signal(pe);
    }
    await_all(group);
}
