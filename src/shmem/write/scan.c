// SPDX-License-Identifier: BSD-3-Clause
// Implements prefix sums by stores. Each member passes its sum to the member of the next rank. The sums are passed in
// segments, so that several members work at the same time. The work area skerry_work of a member has two halves:
// - The first half receives the sum of the lower ranks.
// - In the second half the member computes the sum for the next rank.
#include "work.h"

void skerry_scan_writing(const struct skerry_group *group, char *dest, const char *source, size_t count, size_t size,
                         skerry_combine combine, bool exclusive) {
    int before = group->rank > 0 ? skerry_member(group, group->rank - 1) : -1;
    int next = group->rank + 1 < group->size ? skerry_member(group, group->rank + 1) : -1;
    char *below = skerry_work;
    char *sum = skerry_work + SKERRY_WORK_BYTES / 2;
    size_t most = SKERRY_WORK_BYTES / 2 / size;
    for (size_t at = 0; at < count; at += most) {
        size_t elements = count - at < most ? count - at : most;
        size_t bytes = elements * size;
        if (before >= 0) {
            skerry_channel_signal(before); // signals to the lower rank that this member's work area is free
            skerry_channel_await(before);
        } else {
            __builtin_memset(below, 0, bytes);
        }
        skerry_copy(sum, below, bytes);
        combine(sum, source + at * size, elements);
        if (next >= 0) {
            skerry_channel_await(next);
            skerry_channel_send(below, sum, bytes, next);
        }
        skerry_copy(dest + at * size, exclusive ? below : sum, bytes);
    }
}
