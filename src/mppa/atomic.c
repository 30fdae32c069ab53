// SPDX-License-Identifier: BSD-3-Clause
// Implements the atomics of mppa_async.h on words of segments, and the fence of mppa_async.h. Each function calls one
// routine of aos.h.
#include "internal.h"

_Static_assert(sizeof(long long) == sizeof(int64_t), "MPPA's words are of 64 bits");

static int64_t *word(long long *value) {
    return (int64_t *)(void *)value;
}

#define REACH()                                                                                                        \
    uint64_t at;                                                                                                       \
    const aos_segment_t *window = skerry_mppa_window(__func__, segment, offset, sizeof(int64_t), &at);                 \
    if (!window) return -1

int mppa_async_postadd(const mppa_async_segment_t *segment, off64_t offset, long long addend) {
    REACH();
    return skerry_mppa_result(aos_postadd(window, at, addend));
}

int mppa_async_poke(const mppa_async_segment_t *segment, off64_t offset, long long value) {
    REACH();
    return skerry_mppa_result(aos_poke(window, at, value));
}

int mppa_async_peek(const mppa_async_segment_t *segment, off64_t offset, long long *value, mppa_async_event_t *event) {
    REACH();
    return skerry_mppa_result(aos_peek(window, at, word(value), skerry_mppa_event(event)));
}

int mppa_async_fetchadd(const mppa_async_segment_t *segment, off64_t offset, long long addend, long long *value,
                        mppa_async_event_t *event) {
    REACH();
    return skerry_mppa_result(aos_fetchadd(window, at, addend, word(value), skerry_mppa_event(event)));
}

int mppa_async_fetchclear(const mppa_async_segment_t *segment, off64_t offset, long long *value,
                          mppa_async_event_t *event) {
    REACH();
    return skerry_mppa_result(aos_fetchclear(window, at, word(value), skerry_mppa_event(event)));
}

// Completes the operations on all segments, not only on `segment`. The reason is the DDR, the large memory of an MPPA.
// The DDR is one segment for the program, but two segments of aos.h: the part that has the same address in every
// program, and the rest of the master's memory.
int mppa_async_fence(const mppa_async_segment_t *segment, mppa_async_event_t *event) {
    (void)segment;
    skerry_mppa_check_begun(__func__);
    return skerry_mppa_result(aos_fence_all(skerry_mppa_event(event)));
}
