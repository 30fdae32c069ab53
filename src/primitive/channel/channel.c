// SPDX-License-Identifier: BSD-3-Clause
#include "../channel.h"

void skerry_channel_send(void *dest, const void *source, size_t bytes, int pe) {
    skerry_copy(skerry_global(dest, pe), source, bytes);
    skerry_channel_signal(pe);
}

// Ranks are not multiplied: a distance in ranks and the same in PEs double together.
void skerry_channel_barrier(const struct skerry_group *group) {
    const int size = group->size;
    const int rank = group->rank;
    const int pe = skerry_my_pe();
    const int span = skerry_times(size, group->stride);
    skerry_word *const own = &skerry_heard[pe];
    int step = group->stride;
    for (int distance = 1; distance < size; distance *= 2, step *= 2) {
        int to = rank + distance < size ? pe + step : pe + step - span;
        skerry_post(own, ++skerry_sent[to], to);
        skerry_channel_await(rank >= distance ? pe - step : pe - step + span);
    }
}
