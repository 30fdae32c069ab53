// SPDX-License-Identifier: BSD-3-Clause
// Defines the operations that are timed for table 1 and for figures 2 and 3 of Hascoet et al. (2017). For table 1 each
// PE puts data to the next PE. For figures 2 and 3 the PEs get and put data. The memory belongs to one PE, or there are
// one or two memories that no PE owns.
#ifndef SKERRY_BENCH_SEGMENTS_DATA_H
#define SKERRY_BENCH_SEGMENTS_DATA_H

#include "segments.h"

enum { in_flight = 16 }; // largest number of transfers that a PE has in flight

// -- Table 1 -----------------------------------------------------------------------------------------------------------

static aos_segment_t own_piece, right_piece;

static void make_pieces(void *piece, size_t bytes) {
    must(aos_segment_create(&own_piece, neighbour_id + (uint64_t)segments_me, piece, bytes, NULL));
    must(aos_segment_clone(&right_piece, neighbour_id + (uint64_t)right_of(segments_me), 0));
}

static void put_pieces(const aos_segment_t *there, const void *source, size_t bytes, long count) {
    aos_event_t event;
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_put(source, there, 0, bytes, &event);
    must(outcomes | aos_event_wait(&event) | aos_fence(there, NULL));
}

// -- Figures 2 and 3 ---------------------------------------------------------------------------------------------------

static aos_segment_t memories[3]; // two memories that no PE owns, and the last PE's memory
static int first_memory, memory_count;

// Creates the three segments and clones them on all PEs. PE 0 creates the segments of the two memories that no PE owns.
// The last PE creates the segment of its own memory.
static void make_memories(void *pe_memory, size_t pe_bytes, size_t bytes) {
    aos_segment_t made;
    for (int i = 0; segments_me == 0 && i < 2; ++i)
        must(aos_segment_create(&made, memory_id + (uint64_t)i, aos_malloc(bytes), bytes, NULL));
    if (segments_me == segments_pes - 1) must(aos_segment_create(&made, pe_memory_id, pe_memory, pe_bytes, NULL));
    for (int i = 0; i < 3; ++i) must(aos_segment_clone(&memories[i], memory_id + (uint64_t)i, 0));
}

// Returns the memory that this PE uses in this turn. If there are two memories, a PE uses them alternately.
static const aos_segment_t *memory_of(long turn) {
    return &memories[first_memory + (memory_count == 1 ? 0 : (turn + segments_me) & 1)];
}

static void fence_memories(void) {
    for (int i = 0; i < memory_count; ++i) must(aos_fence(memory_of(i), NULL));
}

static void put_memory(const void *source, uint64_t place, size_t bytes, long count) {
    aos_event_t events[in_flight];
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        if (i >= in_flight) outcomes |= aos_event_wait(&events[i % in_flight]);
        outcomes |= aos_put(source, memory_of(i), place, bytes, &events[i % in_flight]);
    }
    must(outcomes);
    fence_memories();
}

static void get_memory(void *dest, uint64_t place, size_t bytes, long count) {
    aos_event_t events[in_flight];
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        if (i >= in_flight) outcomes |= aos_event_wait(&events[i % in_flight]);
        outcomes |= aos_get(dest, memory_of(i), place, bytes, &events[i % in_flight]);
    }
    for (long i = 0; i < count && i < in_flight; ++i) outcomes |= aos_event_wait(&events[i]);
    must(outcomes);
}

static void put_memory_blocking(const void *source, uint64_t place, size_t bytes, long count) {
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        outcomes |= aos_put(source, memory_of(i), place, bytes, NULL);
        outcomes |= aos_fence(memory_of(i), NULL);
    }
    must(outcomes);
}

static void get_memory_blocking(void *dest, uint64_t place, size_t bytes, long count) {
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_get(dest, memory_of(i), place, bytes, NULL);
    must(outcomes);
}

#endif
