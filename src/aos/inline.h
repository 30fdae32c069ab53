// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the inlined bodies of the list headers (transfer.h, atomic.h, ...) call. Most of them
// handle near memory: memory that this PE accesses by its own loads and stores. Also declares the library's functions
// that handle all other memory and all errors.
#ifndef SKERRY_AOS_INLINE_H
#define SKERRY_AOS_INLINE_H

#include "../machine/machine.h"

// Describes a block of data with up to three dimensions: `lines` * `planes` pieces of `bytes` consecutive bytes. Piece
// (l, p) begins l * line + p * plane bytes after the first piece. In this PE's memory, line and plane are local_line
// and local_plane. In the segment, they are remote_line and remote_plane.
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

// The next four functions do what the inlined bodies of the routines do not do. They handle all operations on memory
// that this PE does not access by its own loads and stores, and all errors.
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

// The next functions are only for machines with SKERRY_FAR_WATCHES, and segments of PEs of other nodes. They do the simple
// cases quickly, and call the functions above for all others.
int skerry_aos_put_far(const void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes,
                       aos_event_t *event);
int skerry_aos_get_far(void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes, aos_event_t *event);
int skerry_aos_post_far(const char *routine, const aos_segment_t *segment, uint64_t offset,
                        enum skerry_aos_operation operation, int64_t value);
int skerry_aos_fetch_far(const char *routine, const aos_segment_t *segment, uint64_t offset,
                         enum skerry_aos_operation operation, int64_t value, int64_t expected, int64_t *result,
                         aos_event_t *event);

// Do what aos_put and aos_get do with an event, on a machine with an engine for copies (transfer_begun.c).
int skerry_aos_begin_put(const void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes,
                         aos_event_t *event);
int skerry_aos_begin_get(void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes, aos_event_t *event);

#if SKERRY_BEGUN_COPIES
// Makes the linker add transfer_begun.c to the program, unless `event` is the constant NULL.
#define SKERRY_AOS_LINK_BEGIN(EVENT)                                                                                   \
    do {                                                                                                               \
        if (!(__builtin_constant_p((EVENT) == 0) && (EVENT) == 0)) SKERRY_LINK(skerry_aos_begin_put);                  \
    } while (0)
#endif

// Attribute of the functions that run deferred atomics (conditional atomics that wait). If all PEs run one program
// (SKERRY_ONE_PROGRAM), these functions are weak symbols: the linker takes them only into a program that uses
// conditional atomics. In any other program no conditional atomic ever waits, so these functions are never called.
#if SKERRY_ONE_PROGRAM && !defined(SKERRY_AOS_HAS_DEFERRED)
#define SKERRY_AOS_DEFERRING __attribute__((weak))
#else
#define SKERRY_AOS_DEFERRING
#endif
SKERRY_AOS_DEFERRING void skerry_aos_run_deferred(int owner);

SKERRY_ALWAYS_INLINE struct skerry_aos_shape skerry_aos_line(size_t bytes) {
    struct skerry_aos_shape shape = {bytes, 1, 1, 0, 0, 0, 0};
    return shape;
}

// Returns true if this PE can load from and store to [offset, offset + bytes) of the segment directly.
SKERRY_ALWAYS_INLINE bool skerry_aos_is_near(const aos_segment_t *segment, uint64_t offset, uint64_t bytes) {
    return bytes <= segment->near_bytes && offset <= segment->near_bytes - bytes;
}

SKERRY_ALWAYS_INLINE bool skerry_aos_is_near_word(const aos_segment_t *segment, uint64_t offset) {
    return offset < segment->near_words_end && (offset & 7) == 0;
}

SKERRY_ALWAYS_INLINE void *skerry_aos_word(const aos_segment_t *segment, uint64_t offset) {
    return segment->base + offset;
}

// Does the deferred atomics (conditional atomics that wait) whose condition is now true, because the segment has
// changed. Must be called after the change. `*deferred` is the number of deferred atomics. No fence is needed between
// the change and the load of `*deferred`. The PE that defers an atomic makes all PEs execute a fence. So either that PE
// sees the change, or this load sees the new number (src/aos/deferred.c).
SKERRY_ALWAYS_INLINE void skerry_aos_changed(const aos_segment_t *segment) {
    if (segment->deferred && __builtin_expect(SKERRY_LOAD_ACQUIRE(segment->deferred) != 0, 0))
        skerry_aos_run_deferred(segment->owner);
}

SKERRY_ALWAYS_INLINE void skerry_aos_happened(aos_event_t *event) {
    if (event) event->word = 0;
}

// Changes a word by an operation without an answer. This PE must be able to load from and store to the word. Any PE of
// the owner's node may call the function. Each caller passes a constant as `operation`, so the compiler keeps only one
// case of the switch.
SKERRY_ALWAYS_INLINE void skerry_aos_post_near(uint64_t *word, enum skerry_aos_operation operation, uint64_t value,
                                               int owner) {
    switch (operation) {
    case SKERRY_AOS_ADD: skerry_atomic_add_64(word, value, owner); break;
    case SKERRY_AOS_AND: skerry_atomic_and_64(word, value, owner); break;
    case SKERRY_AOS_OR: skerry_atomic_or_64(word, value, owner); break;
    case SKERRY_AOS_XOR: skerry_atomic_xor_64(word, value, owner); break;
    default: skerry_atomic_store_64(word, value, owner); break; // SKERRY_AOS_POKE
    }
}

// Changes a word by an operation with an answer, and returns the word's old value. This PE must be able to load from
// and store to the word. Each caller passes a constant as `operation`, so the compiler keeps only one case of the
// switch.
SKERRY_ALWAYS_INLINE uint64_t skerry_aos_fetch_near(uint64_t *word, enum skerry_aos_operation operation, uint64_t value,
                                                    uint64_t expected, int owner) {
    switch (operation) {
    case SKERRY_AOS_FETCH_ADD: return skerry_atomic_fetch_add_64(word, value, owner);
    case SKERRY_AOS_COMPARE_SWAP: return skerry_atomic_compare_swap_64(word, expected, value, owner);
    case SKERRY_AOS_PEEK: return skerry_atomic_load_64(word, owner);
    default: return skerry_atomic_swap_64(word, value, owner); // SKERRY_AOS_SWAP, and SKERRY_AOS_FETCH_CLEAR with 0
    }
}

// Executes an atomic without an answer. Each routine for such an atomic only calls this function.
SKERRY_ALWAYS_INLINE int skerry_aos_post(const char *routine, const aos_segment_t *segment, uint64_t offset,
                                         enum skerry_aos_operation operation, int64_t value) {
    if (SKERRY_FAR_WATCHES && segment->is_far) return skerry_aos_post_far(routine, segment, offset, operation, value);
    if (__builtin_expect(!skerry_aos_is_near_word(segment, offset), 0))
        return skerry_aos_atomic(routine, segment, offset, operation, value, 0, 0, 0);
    skerry_assume_near(segment->owner);
    skerry_aos_post_near((uint64_t *)skerry_aos_word(segment, offset), operation, (uint64_t)value, segment->owner);
    skerry_aos_changed(segment);
    return AOS_SUCCESS;
}

// Executes an atomic with an answer. Each routine for such an atomic only calls this function.
SKERRY_ALWAYS_INLINE int skerry_aos_fetch(const char *routine, const aos_segment_t *segment, uint64_t offset,
                                          enum skerry_aos_operation operation, int64_t value, int64_t expected,
                                          int64_t *result, aos_event_t *event) {
    if (SKERRY_FAR_WATCHES && segment->is_far)
        return skerry_aos_fetch_far(routine, segment, offset, operation, value, expected, result, event);
    if (__builtin_expect(!skerry_aos_is_near_word(segment, offset), 0))
        return skerry_aos_atomic(routine, segment, offset, operation, value, expected, result, event);
    skerry_assume_near(segment->owner);
    *result = (int64_t)skerry_aos_fetch_near((uint64_t *)skerry_aos_word(segment, offset), operation, (uint64_t)value,
                                             (uint64_t)expected, segment->owner);
    if (operation != SKERRY_AOS_PEEK) skerry_aos_changed(segment);
    skerry_aos_happened(event);
    return AOS_SUCCESS;
}

#endif
