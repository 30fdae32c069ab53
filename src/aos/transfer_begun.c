// SPDX-License-Identifier: BSD-3-Clause
// Implements puts and gets with an event on a machine with an engine that copies while this PE computes
// (../machine/contract/begun.h). A copy that the engine does has ended when a word of the machine has reached a value:
// the event is a condition on this word, so the waits of event.c need no code for it.
//
// Only programs that give events to puts or gets are linked with this file (api.h, AOS_DECLARE_BEGINS). In such a program
// it replaces three functions of the library:
// * skerry_aos_put, skerry_aos_get: for blocks, and for memory that no PE owns
// * skerry_aos_atomic: an atomic on a segment must be seen only after this PE's earlier puts to it (Hascoet et al. 2017,
//   5.4). So a put that has begun makes the inlined atomics on this handle call skerry_aos_atomic, which first waits until
//   the engine has ended all copies.
#include "internal.h"

#if SKERRY_BEGUN_COPIES

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "transfer.h"

extern __typeof__(skerry_aos_put) skerry_aos_put_now;
extern __typeof__(skerry_aos_get) skerry_aos_get_now;
extern __typeof__(skerry_aos_atomic) skerry_aos_atomic_now;

// -- Atomics after puts ------------------------------------------------------------------------------------------------

// Makes the inlined atomics on this handle call skerry_aos_atomic: no offset is below near_words_end. The handle is a
// variable that a routine has filled in, so it is not constant.
static void order_atomics(const aos_segment_t *segment) {
    ((aos_segment_t *)(uintptr_t)segment)->near_words_end = 0;
}

// Sets near_words_end to the value that skerry_aos_form (segment.c) gives to this handle.
static void release_atomics(const aos_segment_t *segment) {
    if (segment->kind == SKERRY_AOS_NONE || !segment->is_near || skerry_is_outside(segment->base)) return;
    if (!(segment->protocols & AOS_ATOMIC) || ((uintptr_t)segment->base & 7) != 0 || segment->bytes < 8) return;
    ((aos_segment_t *)(uintptr_t)segment)->near_words_end = segment->bytes - 7;
}

int skerry_aos_atomic(const char *routine, const aos_segment_t *segment, uint64_t offset,
                      enum skerry_aos_operation operation, int64_t value, int64_t expected, int64_t *result,
                      aos_event_t *event) {
    if (segment->near_words_end == 0) {
        skerry_fence();
        release_atomics(segment);
    }
    return skerry_aos_atomic_now(routine, segment, offset, operation, value, expected, result, event);
}

// -- One range ---------------------------------------------------------------------------------------------------------

static void expect(aos_event_t *event, const struct skerry_begun *begun) {
    event->word = (const void *)(uintptr_t)begun->word;
    event->value = begun->value;
    event->condition = AOS_GREATER_EQUAL;
    event->owner = skerry_my_pe();
    event->bits = 64;
    event->reply = 0;
}

// Makes the event of a put that this PE has copied itself: it happens after the events of all earlier puts (Hascoet et al.
// 2017, 5.4).
static void follow_puts(aos_event_t *event) {
    struct skerry_begun begun;
    event->word = 0;
    if (skerry_has_begun_puts(&begun)) expect(event, &begun);
}

// Begins a put. Returns false if this PE must copy. A put to a segment on which conditional atomics can wait is never
// begun: when the data has arrived, this PE must do the atomics whose condition then holds.
static bool begin_put(const struct skerry_blocks *copy, const aos_segment_t *segment, int pe, aos_event_t *event) {
    struct skerry_begun begun;
    if (segment->deferred || !skerry_begin_put(copy, pe, &begun)) return false;
    expect(event, &begun);
    order_atomics(segment);
    return true;
}

int skerry_aos_begin_put(const void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes,
                         aos_event_t *event) {
    if (!skerry_aos_is_near(segment, offset, bytes)) {
        const struct skerry_aos_shape shape = skerry_aos_line(bytes);
        return skerry_aos_put("aos_put", local, segment, offset, &shape, event);
    }
    unsigned char *there = segment->base + offset;
    if (bytes >= SKERRY_PUT_WORTH_BEGINNING) {
        const struct skerry_blocks copy = {there, local, 0, 0, bytes, 1};
        if (begin_put(&copy, segment, segment->owner, event)) return AOS_SUCCESS;
    }
    skerry_put(there, local, bytes, segment->owner);
    skerry_aos_changed(segment);
    follow_puts(event);
    return AOS_SUCCESS;
}

int skerry_aos_begin_get(void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes, aos_event_t *event) {
    if (!skerry_aos_is_near(segment, offset, bytes)) {
        const struct skerry_aos_shape shape = skerry_aos_line(bytes);
        return skerry_aos_get("aos_get", local, segment, offset, &shape, event);
    }
    const unsigned char *there = segment->base + offset;
    if (bytes >= SKERRY_GET_WORTH_BEGINNING) {
        const struct skerry_blocks copy = {local, there, 0, 0, bytes, 1};
        struct skerry_begun begun;
        if (skerry_begin_get(&copy, segment->owner, &begun)) {
            expect(event, &begun);
            return AOS_SUCCESS;
        }
    }
    skerry_get(local, there, bytes, segment->owner);
    skerry_aos_happened(event);
    return AOS_SUCCESS;
}

// -- Blocks, and memory of no PE ---------------------------------------------------------------------------------------

// Returns true if all bytes of the shape are in memory that the engine reaches. Sets `*pe` to the PE that has the segment's
// memory, or to -1 if no PE has it.
static bool is_in_reach(const aos_segment_t *segment, uint64_t offset, const struct skerry_aos_shape *shape, int *pe) {
    uintptr_t bytes;
    if (!skerry_aos_extent_of_blocks(shape, shape->local_line, shape->local_plane, &bytes) ||
        !skerry_aos_extent_of_blocks(shape, shape->remote_line, shape->remote_plane, &bytes) || bytes == 0 ||
        bytes > segment->bytes || offset > segment->bytes - bytes)
        return false;
    *pe = segment->owner;
    if (segment->near_bytes != 0) return true;
    *pe = -1;
    return segment->is_near && skerry_is_outside(segment->base) &&
           skerry_aos_usable(segment, AOS_PUT_GET) == AOS_SUCCESS;
}

// Calls the function that this file replaces.
static __attribute__((noinline)) int move_now(const char *routine, uintptr_t local, const aos_segment_t *segment,
                                              uint64_t offset, const struct skerry_aos_shape *shape, bool put,
                                              aos_event_t *event) {
    if (put) return skerry_aos_put_now(routine, (const void *)local, segment, offset, shape, event);
    return skerry_aos_get_now(routine, (void *)local, segment, offset, shape, event);
}

// Begins a copy of a plane (a rectangle of blocks), or copies it. Blocks that follow each other without gaps on both sides
// are one block.
static int move_plane(const char *routine, uintptr_t local, const aos_segment_t *segment, uintptr_t offset,
                      const struct skerry_aos_shape *plane, bool put, int pe, aos_event_t *event) {
    const uintptr_t remote = (uintptr_t)segment->base + offset;
    const intptr_t line = plane->local_line;
    struct skerry_blocks copy = {.block_bytes = plane->bytes, .blocks = plane->lines};
    struct skerry_begun begun;
    if (line == (intptr_t)plane->bytes && line == plane->remote_line) {
        copy.block_bytes = (size_t)skerry_times((int)line, (int)plane->lines);
        copy.blocks = 1;
    }
    if (put) {
        copy.dest = (void *)remote;
        copy.source = (const void *)local;
        copy.dest_stride = plane->remote_line;
        copy.source_stride = line;
        if (begin_put(&copy, segment, pe, event)) return AOS_SUCCESS;
    } else {
        copy.dest = (void *)local;
        copy.source = (const void *)remote;
        copy.dest_stride = line;
        copy.source_stride = plane->remote_line;
        if (skerry_begin_get(&copy, pe, &begun)) {
            expect(event, &begun);
            return AOS_SUCCESS;
        }
    }
    const int error = move_now(routine, local, segment, offset, plane, put, 0);
    if (put) follow_puts(event);
    return error;
}

static int move(const char *routine, uintptr_t local, const aos_segment_t *segment, uint64_t given_offset,
                const struct skerry_aos_shape *shape, bool put, aos_event_t *event) {
    int pe, error = AOS_SUCCESS;
    uintptr_t offset = (uintptr_t)given_offset;
    if (!event || !segment || !is_in_reach(segment, given_offset, shape, &pe)) {
        // The original function reports errors.
        error = move_now(routine, local, segment, given_offset, shape, put, event);
        if (put && event && !error) follow_puts(event);
    } else {
        struct skerry_aos_shape plane = *shape;
        event->word = 0;
        plane.planes = 1;
        for (uintptr_t left = shape->planes; left > 0 && !error; left--) {
            error = move_plane(routine, local, segment, offset, &plane, put, pe, event);
            local += (uintptr_t)shape->local_plane;
            offset += (uintptr_t)shape->remote_plane;
        }
    }
    return error;
}

int skerry_aos_put(const char *routine, const void *local, const aos_segment_t *segment, uint64_t offset,
                   const struct skerry_aos_shape *shape, aos_event_t *event) {
    return move(routine, (uintptr_t)local, segment, offset, shape, true, event);
}

int skerry_aos_get(const char *routine, void *local, const aos_segment_t *segment, uint64_t offset,
                   const struct skerry_aos_shape *shape, aos_event_t *event) {
    return move(routine, (uintptr_t)local, segment, offset, shape, false, event);
}

#endif
