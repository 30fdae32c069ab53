// SPDX-License-Identifier: BSD-3-Clause
// What the inlined bodies stand on: near segments, and the way into the library for all that is not near.
#ifndef SKERRY_AOS_INLINE_H
#define SKERRY_AOS_INLINE_H

#include "../machine/machine.h"

// A block of up to three dimensions: `lines` * `planes` runs of `bytes` bytes; run (l, p) is l * line_pitch + p * plane_pitch
// bytes behind the first on each side.
struct skerry_aos_shape {
    uintptr_t bytes;
    uintptr_t lines;
    uintptr_t planes;
    intptr_t local_line;
    intptr_t local_plane;
    intptr_t remote_line;
    intptr_t remote_plane;
};

enum skerry_aos_operation {
    SKERRY_AOS_ADD,
    SKERRY_AOS_POKE,
    SKERRY_AOS_AND,
    SKERRY_AOS_OR,
    SKERRY_AOS_XOR,
    SKERRY_AOS_PEEK,
    SKERRY_AOS_FETCH_ADD,
    SKERRY_AOS_FETCH_CLEAR,
    SKERRY_AOS_SWAP,
    SKERRY_AOS_COMPARE_SWAP
};

// Everything that the header does not do itself, errors included.
int skerry_aos_put(const char *routine, const void *local, const aos_segment_t *segment, uint64_t offset,
                   const struct skerry_aos_shape *shape, aos_event_t *event);
int skerry_aos_get(const char *routine, void *local, const aos_segment_t *segment, uint64_t offset,
                   const struct skerry_aos_shape *shape, aos_event_t *event);
int skerry_aos_atomic(const char *routine, const aos_segment_t *segment, uint64_t offset,
                      enum skerry_aos_operation operation, int64_t value, int64_t expected, int64_t *result,
                      aos_event_t *event);
int skerry_aos_atomic_when(const char *routine, const aos_segment_t *segment, uint64_t offset,
                           enum skerry_aos_operation operation, int64_t value, int64_t expected,
                           const aos_condition_t *when, int64_t *result, aos_event_t *event);

// Conditional atomics are linked into programs that have some. Where all PEs run one program (SKERRY_ONE_PROGRAM), none ever waits
// anywhere in another: its calls of what looks after them are never made, and bring nothing along.
#if SKERRY_ONE_PROGRAM && !defined(SKERRY_AOS_PARKS)
#define SKERRY_AOS_PARKING __attribute__((weak))
#else
#define SKERRY_AOS_PARKING
#endif
SKERRY_AOS_PARKING void skerry_aos_run_deferred(int owner);

SKERRY_ALWAYS_INLINE struct skerry_aos_shape skerry_aos_line(size_t bytes) {
    struct skerry_aos_shape shape = {bytes, 1, 1, 0, 0, 0, 0};
    return shape;
}

// Whether [offset, offset + bytes) of the segment may be loaded from and stored to right here.
SKERRY_ALWAYS_INLINE bool skerry_aos_is_near(const aos_segment_t *segment, uint64_t offset, uint64_t bytes) {
    return bytes <= segment->near_bytes && offset <= segment->near_bytes - bytes;
}

SKERRY_ALWAYS_INLINE bool skerry_aos_is_near_word(const aos_segment_t *segment, uint64_t offset) {
    return offset < segment->near_words_end && (offset & 7) == 0;
}

SKERRY_ALWAYS_INLINE void *skerry_aos_word(const aos_segment_t *segment, uint64_t offset) {
    return segment->base + offset;
}

// After a change of the segment: conditional atomics that it may let go. Who parks one makes sure that either he sees the change
// or the one who changes sees that something is deferred (src/aos/deferred.c).
SKERRY_ALWAYS_INLINE void skerry_aos_changed(const aos_segment_t *segment) {
    if (segment->deferred && __builtin_expect(SKERRY_LOAD_ACQUIRE(segment->deferred) != 0, 0))
        skerry_aos_run_deferred(segment->owner);
}

SKERRY_ALWAYS_INLINE void skerry_aos_happened(aos_event_t *event) {
    if (event) event->word = 0;
}

#endif
