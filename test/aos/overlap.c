// SPDX-License-Identifier: BSD-3-Clause
// pes: 1 2 3 7 16
// Puts and gets with events that an engine does behind the program, in the little memory of a core: more than the engine
// has room for, of one range and of blocks, of each alignment, with small ones between. The data is right when the event
// has happened, events of puts happen in order, and an atomic or a fence covers puts whose events nobody has waited for.
// ways: 4:2:remote
#include "segments.h"

enum { BYTES = 6144, PIECE = 1032, PIECES = 5, COLUMNS = 72, ROWS = 12 };

static _Alignas(8) unsigned char memory[8 + BYTES], source[BYTES], result[BYTES];
static aos_segment_t own, right, left;
static int64_t added;

static int left_of_me(void) {
    return (me + pes - 1) % pes;
}

static unsigned char pattern(int pe, int round, int at) {
    return (unsigned char)(pe * 53 + round * 17 + at * 31 + (at >> 8) * 7);
}

static void fill(unsigned char *data, int bytes, int round) {
    for (int i = 0; i < bytes; i++) data[i] = pattern(me, round, i);
}

// Tests the last byte first, because it arrives last.
static void require(const unsigned char *data, int bytes, int pe, int round, int from, const char *what) {
    for (int i = bytes; i-- > 0;)
        REQUIRE(data[i] == pattern(pe, round, from + i), "%s, round %d: byte %d is wrong", what, round, i);
}

static void await_left(void) {
    aos_event_t come;
    REQUIRE_OK(aos_event_set(&come, (int64_t *)(void *)memory, AOS_GREATER_EQUAL, ++added));
    REQUIRE_OK(aos_event_wait(&come));
}

// Puts, more than an engine holds, large and small ones. Waits only for the last event: all earlier ones have happened.
static void puts_in_order(int round, int offset) {
    aos_event_t done[PIECES];
    fill(source, BYTES, round);
    for (int i = 0; i < PIECES; i++)
        REQUIRE_OK(
            aos_put(source + i * PIECE, &right, (uint64_t)(8 + offset + i * PIECE), i % 3 == 2 ? 24 : PIECE, &done[i]));
    REQUIRE_OK(aos_event_wait(&done[PIECES - 1]));
    for (int i = 0; i < PIECES; i++) {
        const int outcome = aos_event_test(&done[i]);
        REQUIRE(outcome == 1, "event %d has not happened, although a later one has: %d", i, outcome);
    }
    memset(source, 0, BYTES); // allowed: the events have happened
    REQUIRE_OK(aos_postadd(&right, 0, 1));
    await_left();
    for (int i = 0; i < PIECES; i++)
        require(memory + 8 + offset + i * PIECE, i % 3 == 2 ? 24 : PIECE, left_of_me(), round, i * PIECE, "a put");
    barrier();
}

// An atomic, or a fence and an atomic, after puts whose events nobody has waited for.
static void atomic_after_puts(int round) {
    aos_event_t done[2];
    int64_t old;
    fill(source, BYTES, round);
    REQUIRE_OK(aos_put(source, &right, 8, BYTES / 2, &done[0]));
    REQUIRE_OK(aos_put(source + BYTES / 2, &right, 8 + BYTES / 2, BYTES / 2, &done[1]));
    if (round % 3 == 0) REQUIRE_OK(aos_postadd(&right, 0, 1));
    if (round % 3 == 1) REQUIRE_OK(aos_fetchadd(&right, 0, 1, &old, NULL));
    if (round % 3 == 2) {
        REQUIRE_OK(aos_fence(&right, NULL));
        REQUIRE_OK(aos_postadd(&right, 0, 1));
    }
    await_left();
    require(memory + 8, BYTES, left_of_me(), round, 0, "puts before an atomic");
    for (int i = 2; i-- > 0;) REQUIRE_OK(aos_event_wait(&done[i]));
    REQUIRE_OK(aos_postadd(&right, 0, 1)); // the handle's atomics are direct again
    await_left();
    barrier();
}

// Several gets, and a put between them. Their events are waited for from the last to the first.
static void gets_and_put(int round, int offset) {
    aos_event_t done[3], put;
    fill(memory + 8, BYTES, round);
    memset(result, 0, BYTES);
    barrier();
    REQUIRE_OK(aos_get(result, &left, 8, 2000, &done[0]));
    REQUIRE_OK(aos_put(source, &left, 8 + 4096, 1024, &put));
    REQUIRE_OK(aos_get(result + 2000 + offset, &left, (uint64_t)(8 + 2000 + offset), 1000, &done[1]));
    REQUIRE_OK(aos_get(result + 3004, &left, 8 + 3004, 8, &done[2]));
    for (int i = 3; i-- > 0;) REQUIRE_OK(aos_event_wait(&done[i]));
    for (int i = 0; i < 3; i++) REQUIRE_OK(aos_event_wait(&done[i])); // again: returns at once
    require(result, 2000, left_of_me(), round, 0, "a get");
    require(result + 2000 + offset, 1000, left_of_me(), round, 2000 + offset, "a second get");
    require(result + 3004, 8, left_of_me(), round, 3004, "a small get");
    REQUIRE_OK(aos_event_wait(&put));
    barrier();
}

// A rectangle of rows to and from a wider array, and three planes of it.
static void blocks(int round, int width, int rows) {
    aos_event_t done;
    const aos_point3d_t there = {8, 1, 0, COLUMNS, ROWS, 3};
    const int size = width * rows * 3;
    fill(source, size, round);
    REQUIRE_OK(aos_put_block3d(source, NULL, &right, 8, &there, 1, width, rows, 3, &done));
    REQUIRE_OK(aos_event_wait(&done));
    memset(source, 0, (size_t)size);
    memset(result, 0, (size_t)size);
    REQUIRE_OK(aos_fence(&right, NULL));
    barrier();
    for (int plane = 0; plane < 3; plane++)
        for (int row = 0; row < rows; row++)
            require(memory + 8 + (plane * ROWS + row + 1) * COLUMNS + 8, width, left_of_me(), round,
                    (plane * rows + row) * width, "a row");
    REQUIRE_OK(aos_get_block3d(result, NULL, &right, 8, &there, 1, width, rows, 3, &done));
    while (!aos_event_test(&done)) continue;
    require(result, size, me, round, 0, "rows");
    barrier();
}

int main(void) {
    segments_begin(0);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), memory, sizeof memory, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    REQUIRE_OK(aos_segment_clone(&left, segment_id(left_of_me(), 1), 0));
    barrier();
    for (int round = 0; round < test_rounds(6); round++) {
        puts_in_order(round, round);
        atomic_after_puts(round);
        gets_and_put(round, round & 7);
        blocks(round, round & 1 ? 64 : 60, round & 2 ? 10 : 8);
        blocks(round, 61, 3);
    }
    // Nobody waits for this event. The end of the program waits for the put.
    aos_event_t forgotten;
    REQUIRE_OK(aos_put(source, &right, 8, BYTES, &forgotten));
    return segments_end();
}
