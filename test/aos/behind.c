// SPDX-License-Identifier: BSD-3-Clause
// Large puts and gets with events, to and from memory that only its owner has, go on behind the program. The data is right when
// the event has happened, events of puts happen in order, and an atomic or a fence covers puts whose events nobody has waited
// for. Handles may be given up, and the program may fork and end, while transfers are under way.
// skip: epiphany
// ways: 4:2:remote
#include "segments.h"

#include <sys/wait.h>
#include <unistd.h>

enum { PIECES = 4, MANY = 150, COLUMNS = 1500, ROWS = 300 };

static size_t all; // size of the segment behind its first word
static unsigned char *memory, *source, *result;
static aos_segment_t own, right, left;
static int64_t added;

static void await_left(void) {
    aos_event_t come;
    REQUIRE_OK(aos_event_set(&come, (int64_t *)(void *)memory, AOS_GREATER_EQUAL, ++added));
    REQUIRE_OK(aos_event_wait(&come));
}

// Starts with the last page, which arrives last.
static void check(const unsigned char *data, size_t bytes, uint64_t seed, const char *what) {
    size_t begin = bytes > 4096 ? bytes - 4096 : 0;
    for (size_t i = begin; i < bytes; i++)
        REQUIRE(data[i] == test_byte(seed, i), "%s: byte %zu of %zu is wrong", what, i, bytes);
    size_t wrong = test_first_wrong(data, bytes, seed);
    REQUIRE(wrong == bytes, "%s: byte %zu of %zu is wrong", what, wrong, bytes);
}

static uint64_t seed_of(int pe, int round) {
    return (uint64_t)(round * pes + pe);
}

// Large and small puts. Waits only for the last event: all earlier ones have happened.
static void puts_in_order(int round) {
    aos_event_t done[PIECES];
    const size_t piece = all / PIECES;
    test_fill(source, all, seed_of(me, round));
    for (size_t i = 0; i < PIECES; i++) {
        const size_t bytes = i % 2 ? 24 : piece;
        REQUIRE_OK(aos_put(source + i * piece, &right, 8 + i * piece, bytes, &done[i]));
    }
    REQUIRE_OK(aos_event_wait(&done[PIECES - 1]));
    for (int i = 0; i < PIECES; i++) {
        const int outcome = aos_event_test(&done[i]);
        REQUIRE(outcome == 1, "event %d has not happened, although a later one has: %d", i, outcome);
    }
    memset(source, 0, all); // allowed: the events have happened
    REQUIRE_OK(aos_postadd(&right, 0, 1));
    await_left();
    for (size_t i = 0; i < PIECES; i++)
        for (size_t at = i * piece; at < i * piece + (i % 2 ? 24 : piece); at++)
            REQUIRE(memory[8 + at] == test_byte(seed_of(left_of(me), round), at), "put %zu: byte %zu is wrong", i, at);
    barrier();
}

// Atomics of each kind, or a fence, after puts whose events nobody has waited for.
static void atomics_after_puts(int round) {
    aos_event_t done[2];
    int64_t old;
    const size_t half = all / 2;
    test_fill(source, all, seed_of(me, round));
    REQUIRE_OK(aos_put(source, &right, 8, half, &done[0]));
    REQUIRE_OK(aos_put(source + half, &right, 8 + half, all - half, &done[1]));
    if (round % 5 == 0) REQUIRE_OK(aos_postadd(&right, 0, 1));
    if (round % 5 == 1) REQUIRE_OK(aos_fetchadd(&right, 0, 1, &old, NULL));
    if (round % 5 == 2) REQUIRE_OK(aos_postadd_when(&right, 0, 1, &(aos_condition_t){0, 0, AOS_GREATER_EQUAL}, NULL));
    if (round % 5 >= 3) {
        if (round % 5 == 3) REQUIRE_OK(aos_fence(&right, NULL));
        else REQUIRE_OK(aos_fence_all(NULL));
        for (int i = 0; i < 2; i++)
            REQUIRE(aos_event_test(&done[i]) == 1, "event %d has not happened after a fence", i);
        REQUIRE_OK(aos_postadd(&right, 0, 1));
    }
    await_left();
    check(memory + 8, all, seed_of(left_of(me), round), "puts before an atomic");
    for (int i = 2; i-- > 0;) REQUIRE_OK(aos_event_wait(&done[i]));
    barrier();
}

// Gets, waited for from the last to the first, and by tests.
static void gets(int round) {
    aos_event_t done[3];
    const size_t part = all / 3;
    test_fill(memory + 8, all, seed_of(me, round));
    memset(result, 0, all);
    barrier();
    for (size_t i = 0; i < 3; i++)
        REQUIRE_OK(aos_get(result + i * part, &left, 8 + i * part, i < 2 ? part : all - 2 * part, &done[i]));
    if (round % 2)
        while (aos_event_test_all((aos_event_t *[]){&done[0], &done[1], &done[2]}, 3) != 1) continue;
    for (int i = 3; i-- > 0;) REQUIRE_OK(aos_event_wait(&done[i]));
    for (int i = 0; i < 3; i++) REQUIRE_OK(aos_event_wait(&done[i])); // again: returns at once
    check(result, all, seed_of(left_of(me), round), "gets");
    barrier();
}

// A rectangle of a wider array, and rows that lie apart. Rows of 1000 and of 3 bytes.
static void blocks(int round, int width) {
    aos_event_t done;
    const aos_point2d_t there = {8, 1, COLUMNS, ROWS};
    const int rows = ROWS - 2;
    test_fill(source, (size_t)(width * rows), seed_of(me, round));
    memset(memory + 8, TEST_GUARD, COLUMNS * ROWS);
    barrier();
    REQUIRE_OK(aos_put_block2d(source, NULL, &right, 8, &there, 1, width, rows, &done));
    REQUIRE_OK(aos_event_wait(&done));
    REQUIRE_OK(aos_postadd(&right, 0, 1));
    await_left();
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            const bool is_put = row >= 1 && row <= rows && column >= 8 && column < 8 + width;
            const size_t at = (size_t)((row - 1) * width + column - 8);
            const unsigned char wanted = is_put ? test_byte(seed_of(left_of(me), round), at) : TEST_GUARD;
            REQUIRE(memory[8 + row * COLUMNS + column] == wanted, "row %d, column %d of a rectangle is wrong", row,
                    column);
        }
    memset(result, 0, (size_t)(width * rows));
    REQUIRE_OK(aos_get_spaced(result, &right, 8 + COLUMNS + 8, (size_t)width, (size_t)rows, COLUMNS, &done));
    REQUIRE_OK(aos_event_wait(&done));
    check(result, (size_t)(width * rows), seed_of(me, round), "spaced blocks");
    barrier();
}

// More transfers than the library has places for.
static void many(int round) {
    static aos_event_t done[MANY];
    aos_event_t begun;
    const size_t bytes = all / 8;
    for (size_t i = 0; i < 8; i++) test_fill(source + i * bytes, bytes, seed_of(me, round)); // the puts have no order
    REQUIRE_OK(aos_put(source, &right, 8, 8 * bytes, &begun)); // the next puts join it, although they are small
    for (size_t i = 1; i < MANY; i++) REQUIRE_OK(aos_put(source, &right, 8 + i % 8 * bytes, bytes, &done[i]));
    REQUIRE_OK(aos_put(source, &right, 8, bytes, &done[0]));
    for (int i = MANY; i-- > 0;) REQUIRE_OK(aos_event_wait(&done[i]));
    REQUIRE_OK(aos_event_wait(&begun));
    REQUIRE_OK(aos_postadd(&right, 0, 1));
    await_left();
    for (size_t i = 0; i < 8; i++) check(memory + 8 + i * bytes, bytes, seed_of(left_of(me), round), "many puts");
    barrier();
}

// Gives the handle up and forks while a put is under way. The child ends as a program does.
static void fork_and_give_up(int round) {
    aos_event_t done;
    aos_segment_t clone;
    REQUIRE_OK(aos_segment_clone(&clone, segment_id(right_of(me), 1), 0));
    test_fill(source, all, seed_of(me, round));
    REQUIRE_OK(aos_put(source, &clone, 8, all, &done));
    const pid_t child = fork();
    if (child == 0) exit(7);
    REQUIRE_OK(aos_segment_destroy(&clone));
    int status = 0;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7,
            "the child ended with %d", status);
    REQUIRE_OK(aos_event_wait(&done));
    REQUIRE_OK(aos_postadd(&right, 0, 1));
    await_left();
    check(memory + 8, all, seed_of(left_of(me), round), "a put beside a fork");
    barrier();
}

int main(void) {
    segments_begin(0);
    // In place of 1 MB, less between nodes: there each 8 KB take a message and its answer.
    all = segments_have_nodes() ? 300000 : 1200000;
    if (all < COLUMNS * ROWS) all = COLUMNS * ROWS;
    memory = malloc(8 + all);
    source = malloc(all);
    result = malloc(all);
    REQUIRE(memory && source && result, "no memory");
    memset(memory, 0, 8 + all);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), memory, 8 + all, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    REQUIRE_OK(aos_segment_clone(&left, segment_id(left_of(me), 1), 0));
    barrier();
    for (int round = 0; round < 5; round++) {
        puts_in_order(round);
        atomics_after_puts(round);
        if (round < 2) gets(round);
    }
    blocks(5, 1000);
    blocks(6, 3);
    many(7);
    fork_and_give_up(8);
    // Nobody waits for this event. The end of the program waits for the put.
    aos_event_t forgotten;
    test_fill(source, all, seed_of(me, 9));
    barrier();
    REQUIRE_OK(aos_put(source, &right, 8, all, &forgotten));
    REQUIRE_OK(aos_finalize());
    check(memory + 8, all, seed_of(left_of(me), 9), "a put before aos_finalize");
    return 0;
}
